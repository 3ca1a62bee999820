// What a flick will probably do, for the eye: where the brick meets another, how much the hand may err, what the finger may touch.
import { overlap, radians, square, yawOf } from "./geometry";
import type { Flick } from "./notation";
import type { Brick, Legal, Pose, View } from "./view";

type Limits = NonNullable<Legal["flick"]>;

export interface Preview {
  /** How far the brick goes, in mm, and where it is then: at the first brick that it meets, or at rest. */
  length: number;
  ghost: Pose;
  meets: string | null;
  /** How far to either side it may be there, in mm, nineteen times in twenty. */
  spread: number;
  /** Where the finger starts. */
  finger: [number, number, number];
  /** The bricks that leave it no room, and the ones that it may touch as well. */
  blocked: string[];
  risky: string[];
}

/** Direction in degrees, speed in m/s, height and side in mm: the standard deviations at a speed. */
export function errorAt(curve: Limits["error"], speed: number): [number, number, number, number] {
  const next = curve.findIndex(([at]) => at >= speed);
  const [low, high] = [curve[Math.max(0, next - 1)], curve[next] ?? curve.at(-1)];
  if (!low || !high) return [0, 0, 0, 0];
  const part = high[0] > low[0] ? (speed - low[0]) / (high[0] - low[0]) : 0;
  const at = (k: number): number => low[k]! + (high[k]! - low[k]!) * Math.min(1, part);
  return [at(1), at(2), at(3), at(4)];
}

const WIDE = 2; // standard deviations: all but one flick in twenty
const EDGE = 1; // mm by which a brick's edges are round

export function foresee(view: View, limits: Limits, flick: Flick): Preview | null {
  const size = view.board.brick;
  const pose = view.bricks.find(({ name }) => name === flick.brick)?.pose;
  if (!pose) return null;
  const [c, s] = [Math.cos(radians(flick.dir)), Math.sin(radians(flick.dir))];
  const others = view.bricks.filter(({ name, pose: lies }) => lies && name !== flick.brick);
  const [dir, , , side] = errorAt(limits.error, flick.speed);
  const reach = limits.follow[2]! + (flick.speed ** 2 / 2 / limits.slows) * 1000;
  const { length, meets } = firstMet(pose, [c, s], reach, others, size);
  const [radius, approach] = limits.finger;
  const behind = extent(pose, flick.dir, size) + approach + radius;
  const finger: [number, number, number] = [pose[0]! - c * behind - s * flick.side, pose[1]! - s * behind + c * flick.side, pose[2]! + flick.height];
  const at = (way: number): [number, number, number] => [finger[0] + c * way, finger[1] + s * way, finger[2]];
  const blocked = others.filter(({ pose: lies }) => gap(lies!, finger, size) < radius).map(({ name }) => name);
  const risky = others.filter(({ pose: lies }) => {
    for (let way = 0; way <= approach + flick.follow; way += 2) {
      const errs = WIDE * (side + Math.abs(behind - way) * Math.tan(radians(dir)));
      if (gap(lies!, at(way), size) < radius + errs) return true;
    }
    return false;
  });
  return {
    length,
    meets,
    ghost: [pose[0]! + c * length, pose[1]! + s * length, ...pose.slice(2)],
    spread: WIDE * (side + length * Math.tan(radians(dir))),
    finger,
    blocked,
    risky: risky.map(({ name }) => name),
  };
}

/** How far a brick slides straight ahead before it touches another one of its height. */
function firstMet(pose: Pose, [c, s]: readonly [number, number], reach: number, others: Brick[], size: number): { length: number; meets: string | null } {
  const yaw = yawOf(pose);
  const near = others.flatMap(({ name, pose: lies }) => {
    const [dx, dy] = [lies![0]! - pose[0]!, lies![1]! - pose[1]!];
    const [ahead, aside] = [dx * c + dy * s, Math.abs(dy * c - dx * s)];
    const isInWay = ahead > 0 && ahead < reach + 2 * size && aside < 1.5 * size && Math.abs(lies![2]! - pose[2]!) < size * 0.9;
    return isInWay ? [{ name, shape: square({ x: lies![0]!, y: lies![1]! }, yawOf(lies!), size) }] : [];
  });
  for (let length = 0; length < reach; length += 1) {
    const mine = square({ x: pose[0]! + c * length, y: pose[1]! + s * length }, yaw, size);
    const met = near.find(({ shape }) => overlap(mine, shape));
    if (met) return { length, meets: met.name };
  }
  return { length: reach, meets: null };
}

/** How far a brick reaches from its centre in a direction. */
function extent(pose: Pose, dir: number, size: number): number {
  const turned = radians(dir - yawOf(pose));
  return (size / 2) * (Math.abs(Math.cos(turned)) + Math.abs(Math.sin(turned)));
}

/** From a point to a brick that lies flat. */
function gap(pose: Pose, [x, y, z]: readonly [number, number, number], size: number): number {
  const yaw = radians(yawOf(pose));
  const [dx, dy] = [x - pose[0]!, y - pose[1]!];
  const away = [dx * Math.cos(yaw) + dy * Math.sin(yaw), dy * Math.cos(yaw) - dx * Math.sin(yaw), z - pose[2]!];
  return Math.hypot(...away.map((length) => Math.max(0, Math.abs(length) - size / 2 + EDGE))) - EDGE;
}

/** Soft, medium or hard: a third of all speeds each. */
export function strengthOf(speed: number, fastest: number): "soft" | "medium" | "hard" {
  return speed < fastest / 3 ? "soft" : speed < (fastest * 2) / 3 ? "medium" : "hard";
}
