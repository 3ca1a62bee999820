// The table in three dimensions: wood, mat, bricks, the finger, and the arrow of a flick. Drawn only when something changed.
import {
  AmbientLight,
  BasicShadowMap,
  BoxGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  LinearMipmapNearestFilter,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshLambertMaterial,
  PCFShadowMap,
  PlaneGeometry,
  RepeatWrapping,
  RingGeometry,
  Scene,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import { drawFaces, drawMat, drawWood, type MatColours } from "./atlas";
import { brickMesh, fill, MOST, put, type BrickMesh } from "./brick-mesh";
import { Viewer } from "./camera";
import type { Action } from "./eyes";
import type { Moving } from "./playback.svelte";
import { Pointer } from "./pointer";
import { Screens } from "./screens";
import type { Arrow, Cube, Line, Ring, Zone } from "./shapes";
import { SLAB } from "./sizes";
import { Trails } from "./trails";
import type { Pose, View } from "./view";

const TILES = 8; // a side of the table top: one huge triangle, cut off behind the camera, may hide the board on small pictures
const ZONES = 4; // rectangles at most
const [SKIN, WRONG] = ["#e8b48c", "#d4351c"];
const AMBIENT = 0.35;
const SUN = [-300, -230, 600] as const;
const SLANT = SUN[2] / Math.hypot(...SUN); // how steeply the sun falls on the board

const LOOKS: Record<"light" | "dark", MatColours & { wood: string; slab: string; sky: string; ground: string; sun: number; fill: number }> = {
  light: { cloth: "#efe4cd", line: "#6b5a3c", castle: "#e3d3b4", wood: "#b98a5a", slab: "#8a5f38", sky: "#ffffff", ground: "#c9a878", sun: 2.1, fill: 1.25 },
  dark: { cloth: "#b5aa95", line: "#43392a", castle: "#a3967d", wood: "#4a3524", slab: "#3a2817", sky: "#dfe6ff", ground: "#5b4630", sun: 1.75, fill: 0.8 },
};

export class Stage {
  readonly viewer: Viewer;
  readonly renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #sun = new DirectionalLight("#fff1d8");
  readonly #sky = new HemisphereLight();
  readonly #mat: Mesh<PlaneGeometry, MeshLambertMaterial>;
  readonly #slab: Mesh<BoxGeometry, MeshLambertMaterial | MeshBasicMaterial>;
  readonly #table: Mesh<PlaneGeometry, MeshLambertMaterial | MeshBasicMaterial>;
  readonly #screens: Screens;
  readonly #cubes: BrickMesh;
  readonly #ghosts: BrickMesh;
  readonly #rings: InstancedMesh<RingGeometry, MeshBasicMaterial>;
  readonly #zones = Array.from({ length: ZONES }, () => new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ color: "#7df0dd", transparent: true, opacity: 0.28, depthWrite: false })));
  readonly #finger = new Mesh(new SphereGeometry(6, 24, 16), new MeshLambertMaterial({ color: SKIN }));
  readonly #trails = new Trails();
  readonly #arrow = new Pointer();
  readonly #board: View["board"];
  /** Where among the solid bricks each one is. */
  #order: ReadonlyMap<string, number> = new Map();
  #frame = 0;
  #yields = false;
  #placed = false; // the camera was moved since the last picture
  #filmed = 0; // when the last frame of a film was drawn
  #size = { width: 1, height: 1 };
  /** Called after the camera moved: labels over the picture move with it. */
  onmoved: () => void = () => {};

  constructor(
    canvas: HTMLCanvasElement,
    board: View["board"],
    readonly modest: boolean,
  ) {
    this.#board = board;
    const { width, length, brick } = board;
    this.renderer = new WebGLRenderer({ canvas, antialias: !modest && devicePixelRatio < 2, powerPreference: "low-power", preserveDrawingBuffer: true }); // kept for pictures
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.type = modest ? BasicShadowMap : PCFShadowMap;
    this.viewer = new Viewer(width, length);

    this.#mat = new Mesh(new PlaneGeometry(width, length), new MeshLambertMaterial());
    const matter = (): MeshLambertMaterial | MeshBasicMaterial => (modest ? new MeshBasicMaterial() : new MeshLambertMaterial());
    this.#slab = new Mesh(new BoxGeometry(width, length, SLAB), matter());
    this.#slab.position.z = -SLAB / 2 - 0.15;
    this.#table = new Mesh(new PlaneGeometry(4800, 4800, TILES, TILES), matter());
    this.#table.position.z = -SLAB;
    this.#screens = new Screens(width);
    this.#mat.receiveShadow = true;
    this.#table.receiveShadow = this.#slab.receiveShadow = !modest;
    this.#slab.castShadow = true;

    const faces = this.#texture(drawFaces());
    faces.flipY = false;
    faces.anisotropy = modest ? 1 : 4;
    this.#cubes = brickMesh(brick, faces, modest, false);
    this.#ghosts = brickMesh(brick, faces, modest, true);
    this.#cubes.castShadow = this.#cubes.receiveShadow = true;
    this.#cubes.customDepthMaterial = new MeshDepthMaterial(); // shared with single meshes it would be set up anew every frame
    this.#rings = new InstancedMesh(new RingGeometry(brick * 0.78, brick * 0.88, 40), new MeshBasicMaterial({ transparent: true, opacity: 0.75, depthWrite: false }), MOST);
    this.#rings.frustumCulled = false;
    this.#rings.count = 0;
    this.#finger.castShadow = true;
    // near things are drawn before the things that they cover
    [this.#cubes, this.#mat, this.#slab, this.#table].forEach((mesh, k) => (mesh.renderOrder = k - 4));
    this.#finger.visible = this.#arrow.mesh.visible = false;
    for (const zone of this.#zones) zone.visible = false;

    this.#light();
    this.#scene.add(this.#table, this.#slab, this.#mat, this.#screens.group, ...this.#zones, this.#rings, this.#cubes, this.#ghosts, this.#finger, this.#arrow.mesh, this.#trails.mesh);
  }

  #light(): void {
    const { width, length } = this.#board;
    this.sit(1);
    this.#sun.castShadow = true;
    const { shadow } = this.#sun;
    shadow.mapSize.setScalar(this.modest ? 1024 : 2048);
    shadow.radius = 3.5;
    shadow.bias = -0.0006;
    shadow.normalBias = 0.6;
    const reach = Math.hypot(width, length) / 2 + 30;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 200, far: 1300 });
    this.#scene.add(this.#sun, this.#sky, new AmbientLight("#ffe9cf", AMBIENT));
  }

  /** The light comes over the left shoulder of the player who sits at that end. */
  sit(side: number): void {
    const [x, y, z] = SUN;
    this.#sun.position.set(side === 2 ? -x : x, side === 2 ? -y : y, z);
    this.#cast();
  }

  paint(theme: "light" | "dark"): void {
    const look = LOOKS[theme];
    this.#mat.material.map?.dispose();
    this.#table.material.map?.dispose();
    this.#mat.material.map = this.#texture(drawMat(this.#board, look));
    this.#mat.material.map.anisotropy = this.modest ? 1 : 8;
    const wood = this.#texture(drawWood(look.wood));
    wood.wrapS = wood.wrapT = RepeatWrapping;
    wood.repeat.set(9, 9);
    this.#table.material.map = wood;
    this.#mat.material.needsUpdate = this.#table.material.needsUpdate = true;
    // materials without lighting are as bright as a lit flat surface
    const light = this.modest ? (look.sun * SLANT + look.fill + AMBIENT) / Math.PI : 1;
    this.#table.material.color.setScalar(light);
    this.#slab.material.color.set(look.slab).multiplyScalar(light);
    this.#sky.color.set(look.sky);
    this.#sky.groundColor.set(look.ground);
    this.#sky.intensity = look.fill;
    this.#sun.intensity = look.sun;
    this.#scene.background = new Color(look.wood);
    this.draw();
  }

  #texture(canvas: HTMLCanvasElement): CanvasTexture {
    const made = new CanvasTexture(canvas);
    made.colorSpace = SRGBColorSpace;
    if (this.modest) made.minFilter = LinearMipmapNearestFilter;
    return made;
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.#size = { width, height };
    this.renderer.setPixelRatio(this.modest ? 0.7 : Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.draw();
  }

  /** Keep the board clear of the buttons, given in pixels at the top and at the bottom of the picture. */
  clear(top: number, bottom: number): void {
    const { height } = this.#size;
    this.viewer.covered = { top: top / height, bottom: bottom / height };
    this.draw();
  }

  /** The bricks as they lie now. */
  show(cubes: Cube[]): void {
    fill(this.#cubes, cubes.filter((cube) => !cube.faint));
    fill(this.#ghosts, cubes.filter((cube) => cube.faint));
    this.#order = new Map(cubes.filter((cube) => !cube.faint).map(({ name }, k) => [name, k]));
    this.#cast();
  }

  /** Draw a frame of a film at once: these bricks are elsewhere now, and so is the finger. The camera follows the action. */
  film(moving: Moving[], finger: Pose | null, action: Action | null): void {
    for (const { name, pose, size } of moving) {
      const k = this.#order.get(name);
      if (k !== undefined) put(this.#cubes, k, pose, size);
    }
    this.#cubes.instanceMatrix.needsUpdate = true;
    this.point(finger);
    const now = performance.now();
    if (action) this.viewer.follow(action, Math.min(0.1, (now - this.#filmed) / 1000));
    this.#filmed = now;
    this.#render(now);
  }

  /** While a film runs, its frames are all that is drawn. */
  yield(toFilm: boolean): void {
    this.#yields = toFilm;
    if (!toFilm) {
      this.viewer.unfollow();
      return this.draw();
    }
    this.#filmed = performance.now();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  ring(rings: Ring[]): void {
    const size = this.#board.brick;
    rings.slice(0, MOST).forEach(({ pose, colour }, k) => {
      MATRIX.makeTranslation(pose[0]!, pose[1]!, Math.max(0.3, pose[2]! - size / 2 + 0.3));
      this.#rings.setMatrixAt(k, MATRIX);
      this.#rings.setColorAt(k, COLOUR.set(colour));
    });
    this.#rings.count = Math.min(MOST, rings.length);
    this.#rings.instanceMatrix.needsUpdate = true;
    if (this.#rings.instanceColor) this.#rings.instanceColor.needsUpdate = true;
    this.draw();
  }

  /** Where something may be put. */
  mark(zones: readonly Zone[]): void {
    this.#zones.forEach((mesh, k) => {
      mesh.visible = zones[k] !== undefined;
      const [x, y, width, length] = zones[k] ?? [0, 0, 1, 1];
      mesh.position.set(x + width / 2, y + length / 2, 0.25);
      mesh.scale.set(width, length, 1);
    });
    this.draw();
  }

  aim(arrow: Arrow | null): void {
    this.#arrow.show(arrow, this.#board.brick);
    this.#finger.material.color.set(arrow?.isWrong ? WRONG : SKIN);
    this.draw();
  }

  /** The lines that stay after a flick. */
  trace(lines: Line[]): void {
    this.#trails.show(lines);
    this.draw();
  }

  point(finger: readonly number[] | null): void {
    this.#finger.visible = finger !== null;
    if (finger) this.#finger.position.set(finger[0]!, finger[1]!, finger[2]!);
    this.#cast();
  }

  /** The screens that stand before the armies until both are ready, and then rise. */
  hide(down: boolean, slowly: boolean): void {
    this.#screens.stand(down, slowly, performance.now());
    this.#cast();
  }

  /** Something that throws a shadow has moved. */
  #cast(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  /** Draws as soon as the browser paints again. */
  draw(): void {
    if (!this.#yields) this.#frame ||= requestAnimationFrame((now) => this.#render(now));
  }

  #render(now: number): void {
    this.#frame = 0;
    const gliding = this.viewer.glide(now);
    const stood = this.#screens.group.visible;
    const rising = this.#screens.rise(now);
    if (rising || stood !== this.#screens.group.visible) this.renderer.shadowMap.needsUpdate = true; // their shadows go with them
    const moved = this.viewer.settle(this.#size.width / this.#size.height) || this.#placed;
    this.#placed = false;
    this.renderer.render(this.#scene, this.viewer.camera);
    if (moved) this.onmoved();
    if (gliding || rising) this.draw();
  }

  /** Put the camera where the eye is, without drawing. */
  place(): void {
    if (this.viewer.settle(this.#size.width / this.#size.height)) this.#placed = true;
  }

  /** Where a point of the board is in the picture, in pixels. */
  toScreen(x: number, y: number, z: number): [number, number] {
    SPOT.set(x, y, z).project(this.viewer.camera);
    return [((SPOT.x + 1) / 2) * this.#size.width, ((1 - SPOT.y) / 2) * this.#size.height];
  }

  /** The point at a height that a pixel shows, or null above the horizon. */
  toBoard(px: number, py: number, z: number): [number, number] | null {
    const { camera } = this.viewer;
    SPOT.set((px / this.#size.width) * 2 - 1, 1 - (py / this.#size.height) * 2, 0.5).unproject(camera).sub(camera.position);
    if (SPOT.z >= 0) return null;
    const far = (z - camera.position.z) / SPOT.z;
    return [camera.position.x + SPOT.x * far, camera.position.y + SPOT.y * far];
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1; // nothing is drawn any more
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

const MATRIX = new Matrix4();
const COLOUR = new Color();
const SPOT = new Vector3();
