// The bricks in three dimensions: many copies of one cube, each with the picture of its kind on its six faces.
import { BufferAttribute, InstancedBufferAttribute, InstancedMesh, Matrix4, MeshLambertMaterial, MeshStandardMaterial, Quaternion, Vector3, type CanvasTexture } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { cellOf, COLUMNS, MOODS, ROWS } from "./atlas";
import type { Cube } from "./shapes";
import type { Pose } from "./view";

type BrickMaterial = MeshStandardMaterial | MeshLambertMaterial;
export type BrickMesh = InstancedMesh<RoundedBoxGeometry, BrickMaterial>;

export const MOST = 64;
const MATRIX = new Matrix4();
const PLACE = new Vector3();
const TURN = new Quaternion();
const SCALE = new Vector3();

/** A mesh without bricks yet. `faint` is for bricks that are only thought of. */
export function brickMesh(size: number, faces: CanvasTexture, modest: boolean, faint: boolean): BrickMesh {
  const material = brickMaterial(faces, modest);
  if (faint) Object.assign(material, { transparent: true, opacity: 0.55 });
  const mesh = new InstancedMesh(brickShape(size, modest ? 1 : 3), material, MOST);
  mesh.geometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(MOST * 3), 3));
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

export function fill(mesh: InstancedMesh, cubes: Cube[]): void {
  const look = mesh.geometry.getAttribute("look") as InstancedBufferAttribute;
  mesh.count = Math.min(MOST, cubes.length);
  cubes.slice(0, MOST).forEach(({ kind, side, pose, faces, size }, k) => {
    put(mesh, k, pose, size);
    const [column, row] = cellOf(kind, side);
    look.setXYZ(k, column, row, faces.reduce((packed, mood, face) => packed + MOODS.indexOf(mood) * 4 ** face, 0));
  });
  mesh.instanceMatrix.needsUpdate = look.needsUpdate = true;
}

export function put(mesh: InstancedMesh, k: number, pose: Pose, size: number): void {
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
