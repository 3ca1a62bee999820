// The table in three dimensions: wood, mat, bricks, the finger, and the arrow of a flick. Drawn only when something changed.
import {
  AmbientLight,
  BasicShadowMap,
  BoxGeometry,
  BufferAttribute,
  CanvasTexture,
  Color,
  DirectionalLight,
  HemisphereLight,
  InstancedBufferAttribute,
  InstancedMesh,
  LinearMipmapNearestFilter,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  PCFShadowMap,
  PlaneGeometry,
  Quaternion,
  RepeatWrapping,
  RingGeometry,
  Scene,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { cellOf, COLUMNS, drawFaces, drawMat, drawWood, MOODS, ROWS, type MatColours } from "./atlas";
import { Viewer } from "./camera";
import type { Moving } from "./playback.svelte";
import { Pointer } from "./pointer";
import { SLAB } from "./sizes";
import type { Kind, Mood, Pose, Side, View } from "./view";

export interface Cube {
  name: string;
  kind: Kind;
  side: Side;
  pose: Pose;
  faces: Mood[];
  /** How many times as large as it is. */
  size: number;
  /** Of something that is only thought of, or out of the match. */
  faint?: boolean;
}
export interface Ring {
  pose: Pose;
  colour: string;
}
export interface Arrow {
  pose: Pose;
  dir: number;
  /** How long, in mm. */
  length: number;
  /** How far to either side of its end the brick may be. */
  spread: number;
  /** Where the finger will be; red if it has no room there, or may touch another brick. */
  finger: [number, number, number];
  isWrong: boolean;
}
/** A thin line on the mat: what was aimed, or what was made. */
export interface Line {
  pose: Pose;
  dir: number;
  length: number;
  colour: string;
}

type BrickMaterial = MeshStandardMaterial | MeshLambertMaterial;

const MOST = 64;
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
  readonly #screen: Mesh<BoxGeometry, MeshLambertMaterial>;
  readonly #cubes: InstancedMesh<RoundedBoxGeometry, BrickMaterial>;
  readonly #ghosts: InstancedMesh<RoundedBoxGeometry, BrickMaterial>;
  readonly #rings: InstancedMesh<RingGeometry, MeshBasicMaterial>;
  readonly #zone = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ color: "#7df0dd", transparent: true, opacity: 0.28, depthWrite: false }));
  readonly #finger = new Mesh(new SphereGeometry(6, 24, 16), new MeshLambertMaterial({ color: SKIN }));
  readonly #lines = [0, 1].map(() => new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ transparent: true, opacity: 0.8, depthWrite: false })));
  readonly #arrow = new Pointer();
  readonly #board: View["board"];
  /** Where among the solid bricks each one is. */
  #order: ReadonlyMap<string, number> = new Map();
  #frame = 0;
  #yields = false;
  #size = { width: 1, height: 1 };
  /** Called after the camera moved: what is written over the picture moves with it. */
  onmoved: () => void = () => {};

  constructor(
    canvas: HTMLCanvasElement,
    board: View["board"],
    readonly modest: boolean,
  ) {
    this.#board = board;
    const { width, length, brick } = board;
    this.renderer = new WebGLRenderer({ canvas, antialias: !modest && devicePixelRatio < 2, powerPreference: "low-power" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.type = modest ? BasicShadowMap : PCFShadowMap;
    this.viewer = new Viewer(width, length);

    this.#mat = new Mesh(new PlaneGeometry(width, length), new MeshLambertMaterial());
    const matter = (): MeshLambertMaterial | MeshBasicMaterial => (modest ? new MeshBasicMaterial() : new MeshLambertMaterial());
    this.#slab = new Mesh(new BoxGeometry(width, length, SLAB), matter());
    this.#slab.position.z = -SLAB / 2 - 0.15;
    this.#table = new Mesh(new PlaneGeometry(4800, 4800), matter());
    this.#table.position.z = -SLAB;
    this.#screen = new Mesh(new BoxGeometry(width + 24, 5, 92), new MeshLambertMaterial({ color: "#8a5f38" }));
    this.#screen.position.z = 46;
    this.#screen.castShadow = true;
    this.#mat.receiveShadow = true;
    this.#table.receiveShadow = this.#slab.receiveShadow = !modest;
    this.#slab.castShadow = true;

    const faces = this.#texture(drawFaces());
    faces.flipY = false;
    faces.anisotropy = modest ? 1 : 4;
    const solid = brickMaterial(faces, modest);
    const faint = brickMaterial(faces, modest);
    Object.assign(faint, { transparent: true, opacity: 0.55 });
    const shape = (): RoundedBoxGeometry => brickShape(brick, modest ? 1 : 3);
    this.#cubes = new InstancedMesh(shape(), solid, MOST);
    this.#ghosts = new InstancedMesh(shape(), faint, MOST);
    this.#cubes.castShadow = this.#cubes.receiveShadow = true;
    this.#cubes.customDepthMaterial = new MeshDepthMaterial(); // shared with single meshes it would be set up anew every frame
    for (const mesh of [this.#cubes, this.#ghosts]) {
      mesh.geometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(MOST * 3), 3));
      mesh.frustumCulled = false;
      mesh.count = 0;
    }
    this.#rings = new InstancedMesh(new RingGeometry(brick * 0.78, brick * 0.88, 40), new MeshBasicMaterial({ transparent: true, opacity: 0.75, depthWrite: false }), MOST);
    this.#rings.frustumCulled = false;
    this.#rings.count = 0;
    this.#finger.castShadow = true;
    // what covers is drawn before what is covered
    [this.#cubes, this.#mat, this.#slab, this.#table].forEach((mesh, k) => (mesh.renderOrder = k - 4));
    this.#zone.position.z = 0.25;
    this.#zone.visible = this.#finger.visible = this.#arrow.mesh.visible = this.#screen.visible = false;

    this.#light();
    this.#scene.add(this.#table, this.#slab, this.#mat, this.#screen, this.#zone, this.#rings, this.#cubes, this.#ghosts, this.#finger, this.#arrow.mesh, ...this.#lines);
    this.trace([]);
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

  /** The light comes over the left shoulder of the one who sits at that end. */
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
    // what is not lit is given the light that falls on something flat
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

  /** The bricks as they lie now. */
  show(cubes: Cube[]): void {
    fill(this.#cubes, cubes.filter((cube) => !cube.faint));
    fill(this.#ghosts, cubes.filter((cube) => cube.faint));
    this.#order = new Map(cubes.filter((cube) => !cube.faint).map(({ name }, k) => [name, k]));
    this.#cast();
  }

  /** A frame of a film, at once: these bricks are elsewhere now, and so is the finger. */
  film(moving: Moving[], finger: Pose | null): void {
    for (const { name, pose, size } of moving) {
      const k = this.#order.get(name);
      if (k !== undefined) put(this.#cubes, k, pose, size);
    }
    this.#cubes.instanceMatrix.needsUpdate = true;
    this.point(finger);
    this.#render(performance.now());
  }

  /** While a film runs, its frames are all that is drawn. */
  yield(toFilm: boolean): void {
    this.#yields = toFilm;
    if (!toFilm) return this.draw();
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

  /** Where something may be put: left, near end, width, length. */
  mark(zone: readonly [number, number, number, number] | null): void {
    this.#zone.visible = zone !== null;
    if (zone) {
      const [x, y, width, length] = zone;
      this.#zone.position.set(x + width / 2, y + length / 2, 0.25);
      this.#zone.scale.set(width, length, 1);
    }
    this.draw();
  }

  aim(arrow: Arrow | null): void {
    this.#arrow.show(arrow, this.#board.brick);
    this.#finger.material.color.set(arrow?.isWrong ? WRONG : SKIN);
    this.draw();
  }

  /** The lines that stay after a flick. */
  trace(lines: Line[]): void {
    this.#lines.forEach((mesh, k) => {
      const line = lines[k];
      mesh.visible = line !== undefined;
      if (!line) return;
      const [c, s] = [Math.cos((line.dir * Math.PI) / 180), Math.sin((line.dir * Math.PI) / 180)];
      mesh.position.set(line.pose[0]! + (c * line.length) / 2, line.pose[1]! + (s * line.length) / 2, line.pose[2]! - this.#board.brick / 2 + 0.4);
      mesh.rotation.z = (line.dir * Math.PI) / 180;
      mesh.scale.set(line.length, 1.6, 1);
      mesh.material.color.set(line.colour);
    });
    this.draw();
  }

  point(finger: readonly number[] | null): void {
    this.#finger.visible = finger !== null;
    if (finger) this.#finger.position.set(finger[0]!, finger[1]!, finger[2]!);
    this.#cast();
  }

  /** The screen that stands between the armies until both are ready. */
  hide(between: boolean): void {
    this.#screen.visible = between;
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
    const moved = this.viewer.settle(this.#size.width / this.#size.height);
    this.renderer.render(this.#scene, this.viewer.camera);
    if (moved) this.onmoved();
    if (gliding) this.draw();
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
const PLACE = new Vector3();
const TURN = new Quaternion();
const SCALE = new Vector3();

function fill(mesh: InstancedMesh, cubes: Cube[]): void {
  const look = mesh.geometry.getAttribute("look") as InstancedBufferAttribute;
  mesh.count = Math.min(MOST, cubes.length);
  cubes.slice(0, MOST).forEach(({ kind, side, pose, faces, size }, k) => {
    put(mesh, k, pose, size);
    const [column, row] = cellOf(kind, side);
    look.setXYZ(k, column, row, faces.reduce((packed, mood, face) => packed + MOODS.indexOf(mood) * 4 ** face, 0));
  });
  mesh.instanceMatrix.needsUpdate = look.needsUpdate = true;
}

function put(mesh: InstancedMesh, k: number, pose: Pose, size: number): void {
  const [x, y, z, qx, qy, qz, qw] = pose as [number, number, number, number, number, number, number];
  mesh.setMatrixAt(k, MATRIX.compose(PLACE.set(x, y, z), TURN.set(qx, qy, qz, qw), SCALE.setScalar(size)));
}

/** A cube with soft edges that knows, at every corner of its surface, on which of the six faces it is. */
function brickShape(size: number, segments: number): RoundedBoxGeometry {
  const shape = new RoundedBoxGeometry(size, size, size, segments, size * 0.09);
  const [place, uv] = [shape.getAttribute("position"), shape.getAttribute("uv")];
  const face = new Float32Array(place.count);
  for (let k = 0; k < place.count; k++) {
    // the box is built side by side: +x, -x, +y, -y, +z, -z
    const side = Math.floor((k * 6) / place.count);
    face[k] = [1, 4, 2, 3, 0, 5][side]!;
    const [x, y, z] = [place.getX(k) / size + 0.5, place.getY(k) / size + 0.5, place.getZ(k) / size + 0.5];
    const [u, v] = [[y, 1 - z], [1 - y, 1 - z], [1 - x, 1 - z], [x, 1 - z], [x, 1 - y], [x, y]][side]!;
    uv.setXY(k, Math.min(0.995, Math.max(0.005, u!)), Math.min(0.995, Math.max(0.005, v!)));
  }
  shape.setAttribute("face", new BufferAttribute(face, 1));
  return shape;
}

/** Looks up the picture of a face on the sheet: where the kind begins, and the mood of that face. */
function brickMaterial(map: CanvasTexture, modest: boolean): BrickMaterial {
  const material = modest ? new MeshLambertMaterial({ map }) : new MeshStandardMaterial({ map, roughness: 0.5, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec3 look;\nattribute float face;")
      .replace(
        "#include <uv_vertex>",
        `#include <uv_vertex>
        float mood = mod(floor(look.z / pow(4.0, face) + 0.001), 4.0);
        vMapUv = (vec2(look.x + mood, look.y) + uv) / vec2(${COLUMNS}.0, ${ROWS}.0);`,
      );
  };
  return material;
}
