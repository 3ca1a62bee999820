// Cubes in space: how a brick is turned, which face is up, what lies over what, seen from above.
import type { Pose } from "./view";

export interface Point {
  x: number;
  y: number;
}
export interface Spot extends Point {
  yaw: number;
  up: number;
}

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;
export const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** An angle in degrees from 0 up to 360. */
export const turn = (angle: number): number => ((angle % 360) + 360) % 360;

const HALF = Math.SQRT1_2;
/** The turn that brings each face up, before the yaw: faces 1 to 6, as on a die with 1 up, 2 to the right, 3 ahead. */
const UP: Record<number, readonly number[]> = {
  1: [0, 0, 0, 1],
  2: [0, -HALF, 0, HALF],
  3: [HALF, 0, 0, HALF],
  4: [-HALF, 0, 0, HALF],
  5: [0, HALF, 0, HALF],
  6: [1, 0, 0, 0],
};

/** A brick that stands flat: its centre, its yaw, and the face that is up. */
export function standing({ x, y, yaw, up }: Spot, z: number): Pose {
  const [qx, qy, qz, qw] = UP[up] as [number, number, number, number];
  const [s, c] = [Math.sin(radians(yaw) / 2), Math.cos(radians(yaw) / 2)];
  return [x, y, z, c * qx - s * qy, c * qy + s * qx, c * qz + s * qw, c * qw - s * qz];
}

/** How far up each of the body's axes points. */
function heights([, , , x, y, z, w]: Pose): [number, number, number] {
  return [2 * (x! * z! - w! * y!), 2 * (y! * z! + w! * x!), 1 - 2 * (x! * x! + y! * y!)];
}

const FACES = [2, 3, 1] as const; // towards +x, +y, +z

/** The face that points up most. */
export function topFace(pose: Pose): number {
  const up = heights(pose);
  const axis = up.reduce((best, height, k) => (Math.abs(height) > Math.abs(up[best]!) + 1e-9 ? k : best), 2);
  return up[axis]! > 0 ? FACES[axis]! : 7 - FACES[axis]!;
}

/** How far a brick is turned about the vertical, from 0 up to 90: a cube looks alike every quarter turn. */
export function yawOf(pose: Pose): number {
  const [, , , x, y, z, w] = pose as number[];
  const face = topFace(pose);
  const lying = face === 2 || face === 5 ? [2 * (x! * y! - w! * z!), 1 - 2 * (x! * x! + z! * z!)] : [1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! + w! * z!)];
  return turn(degrees(Math.atan2(lying[1]!, lying[0]!))) % 90;
}

/** The four corners of a flat brick, seen from above. */
export function square({ x, y }: Point, yaw: number, size: number): Point[] {
  const [s, c] = [(Math.sin(radians(yaw)) * size) / 2, (Math.cos(radians(yaw)) * size) / 2];
  return [
    { x: x + c - s, y: y + s + c },
    { x: x - c - s, y: y - s + c },
    { x: x - c + s, y: y - s - c },
    { x: x + c + s, y: y + s - c },
  ];
}

/** Whether two bricks seen from above lie over each other by more than a hair. */
export function overlap(a: Point[], b: Point[]): boolean {
  return [a, b].every((shape) =>
    [0, 1].every((k) => {
      const [from, to] = [shape[k]!, shape[k + 1]!];
      const along = (p: Point): number => (p.x * (to.x - from.x) + p.y * (to.y - from.y)) / Math.hypot(to.x - from.x, to.y - from.y);
      const [mine, theirs] = [a.map(along), b.map(along)];
      return Math.min(Math.max(...mine), Math.max(...theirs)) - Math.max(Math.min(...mine), Math.min(...theirs)) > 0.2;
    }),
  );
}

/** Return the height of a brick's centre when it is set down on the bricks there. */
export function restingHeight(spot: Point & { yaw: number }, others: { at: Point; yaw: number; z: number }[], size: number): number {
  const mine = square(spot, spot.yaw, size);
  return others.reduce((z, other) => (overlap(mine, square(other.at, other.yaw, size)) ? Math.max(z, other.z + size) : z), size / 2);
}
