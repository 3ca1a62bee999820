// The arrow of a flick on the mat: the way to the first contact, as wide as the brick and what the hand may err, and a head.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial } from "three";
import { radians } from "./geometry";
import type { Arrow } from "./shapes";

const PATH = [1, 1, 1, 0.5] as const;
const HEAD = [0.04, 0.36, 0.35, 0.92] as const;

export class Pointer {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;

  constructor() {
    const shape = new BufferGeometry();
    const corners = 6 + 6 + 3;
    shape.setAttribute("position", new BufferAttribute(new Float32Array(corners * 3), 3));
    shape.setAttribute("color", new BufferAttribute(new Float32Array(corners * 4), 4));
    this.mesh = new Mesh(shape, new MeshBasicMaterial({ vertexColors: true, transparent: true, depthTest: false, side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
  }

  show(arrow: Arrow | null, brick: number): void {
    this.mesh.visible = arrow !== null;
    if (!arrow) return;
    const { length, spread } = arrow;
    const half = brick / 2;
    const shaft = Math.max(half, length - 9);
    this.#write([
      [[half, -half], [length, -half - spread], [length, half + spread], PATH],
      [[half, -half], [length, half + spread], [half, half], PATH],
      [[half, -1.8], [shaft, -1.8], [shaft, 1.8], HEAD],
      [[half, -1.8], [shaft, 1.8], [half, 1.8], HEAD],
      [[shaft, -6], [shaft + 11, 0], [shaft, 6], HEAD],
    ]);
    this.mesh.position.set(arrow.pose[0]!, arrow.pose[1]!, arrow.pose[2]! - half + 0.5);
    this.mesh.rotation.z = radians(arrow.dir);
  }

  #write(triangles: (readonly [readonly [number, number], readonly [number, number], readonly [number, number], readonly [number, number, number, number]])[]): void {
    const place = this.mesh.geometry.getAttribute("position") as BufferAttribute;
    const colour = this.mesh.geometry.getAttribute("color") as BufferAttribute;
    triangles.forEach(([a, b, c, ink], k) =>
      [a, b, c].forEach(([x, y], corner) => {
        place.setXYZ(k * 3 + corner, x, y, 0);
        // the path fades a little ahead
        colour.setXYZW(k * 3 + corner, ink[0], ink[1], ink[2], ink === PATH && x > 10 ? 0.22 : ink[3]);
      }),
    );
    place.needsUpdate = colour.needsUpdate = true;
  }
}
