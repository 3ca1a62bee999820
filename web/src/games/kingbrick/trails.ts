// Lines on the mat, drawn as thin ribbons: what was aimed and made of a flick, and the ways that bricks went.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshBasicMaterial } from "three";
import type { Line } from "./shapes";

const MOST = 1200; // pieces of line
const DASH = 7; // mm, and as much between two

export class Trails {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #place = new BufferAttribute(new Float32Array(MOST * 6 * 3), 3);
  readonly #colour = new BufferAttribute(new Float32Array(MOST * 6 * 3), 3);

  constructor() {
    const shape = new BufferGeometry();
    shape.setAttribute("position", this.#place);
    shape.setAttribute("color", this.#colour);
    this.mesh = new Mesh(shape, new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75, depthWrite: false, side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.show([]);
  }

  show(lines: Line[]): void {
    let corner = 0;
    const ink = new Color();
    for (const { points, z, width, colour, dashed } of lines) {
      ink.set(colour);
      for (const [[ax, ay], [bx, by]] of pieces(points, dashed ?? false)) {
        const long = Math.hypot(bx - ax, by - ay);
        if (long < 0.01 || corner + 6 > MOST * 6) continue;
        const [ox, oy] = [(-(by - ay) / long) * (width / 2), ((bx - ax) / long) * (width / 2)];
        for (const [x, y] of [[ax + ox, ay + oy], [ax - ox, ay - oy], [bx - ox, by - oy], [ax + ox, ay + oy], [bx - ox, by - oy], [bx + ox, by + oy]] as const) {
          this.#place.setXYZ(corner, x, y, z);
          this.#colour.setXYZ(corner++, ink.r, ink.g, ink.b);
        }
      }
    }
    this.mesh.geometry.setDrawRange(0, corner);
    this.mesh.visible = corner > 0;
    this.#place.needsUpdate = this.#colour.needsUpdate = true;
  }
}

type Point = readonly [number, number];

/** Return the straight pieces of a line; of a dashed line, its dashes. */
function pieces(points: readonly Point[], dashed: boolean): [Point, Point][] {
  const found: [Point, Point][] = [];
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1]!, points[k]!];
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!dashed || long < DASH) {
      found.push([a, b]);
      continue;
    }
    const at = (way: number): Point => [a[0] + ((b[0] - a[0]) * way) / long, a[1] + ((b[1] - a[1]) * way) / long];
    for (let way = 0; way < long; way += 2 * DASH) found.push([at(way), at(Math.min(long, way + DASH))]);
  }
  return found;
}
