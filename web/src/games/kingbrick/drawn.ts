// The bricks, rings, arrows and lines on the board, the same for both ways of drawing it.
import { arrowLength, brickNamed, heightAt, type Setting } from "./aim.svelte";
import { BODY } from "./faces";
import { radians, standing, type Spot } from "./geometry";
import type { Laid } from "./lay";
import type { Motion } from "./motion";
import type { Flick } from "./notation";
import type { Preview } from "./preview";
import type { Arrow, Cube, Line, Ring, Zone } from "./shapes";
import type { Pose, View } from "./view";

export interface Drawn {
  cubes: Cube[];
  rings: Ring[];
  zones: readonly Zone[];
  arrow: Arrow | null;
  lines: Line[];
  finger: Pose | null;
}

/** The last flick: where its brick lay, and the two ways. */
export interface Trace {
  pose: Pose;
  aimed: { dir: number; speed: number };
  made: { dir: number; speed: number } | null;
}

const BRAND = "#0b8f86";
const HALF = 8; // mm: half a brick

export function cubesOf(view: View, laid: Laid[]): Cube[] {
  return laid.map(({ brick: { name, kind, side }, pose, size, out }) => ({ name, kind, side, pose, size, faces: view.kinds[kind].faces, faint: out }));
}

/** The brick in hand as it would stand. */
export function ghostOf(view: View, setting: Setting, spot: Spot): Cube | null {
  const brick = brickNamed(view, setting.brick);
  if (!brick) return null;
  return { name: brick.name, kind: brick.kind, side: brick.side, pose: standing(spot, heightAt(spot, view, setting.brick)), size: 1, faces: view.kinds[brick.kind].faces };
}

/** What may be flicked, the one that is chosen, and deserters in the colour that they fight for. */
export function ringsOf(laid: Laid[], flickable: string[], chosen: string): Ring[] {
  return laid.flatMap(({ brick, pose, out }) => {
    if (out || brick.where !== "board") return [];
    if (brick.name === chosen) return [{ pose, colour: "#ffffff" }];
    if (brick.army !== brick.side) return [{ pose, colour: BODY[brick.army] }];
    return flickable.includes(brick.name) ? [{ pose, colour: BRAND }] : [];
  });
}

/** The way of a flick to its first contact. */
export function arrowOf(view: View, flick: Flick, { length, spread, finger, blocked, risky }: Preview): Arrow | null {
  const pose = brickNamed(view, flick.brick)?.pose;
  return pose ? { pose, dir: flick.dir, length: Math.max(length, view.board.brick), spread, finger, isWrong: blocked.length + risky.length > 0 } : null;
}

/** The flicked brick where it will meet another, or lie. */
export function aheadOf(view: View, flick: Flick, { ghost }: Preview): Cube[] {
  const brick = brickNamed(view, flick.brick);
  return brick ? [{ name: "ahead", kind: brick.kind, side: brick.side, pose: ghost, size: 1, faces: view.kinds[brick.kind].faces, faint: true }] : [];
}

/** The bricks that are in a finger's way, or may be touched by it. */
export function warnings(laid: Laid[], { blocked, risky }: Preview): Ring[] {
  return laid.flatMap(({ brick: { name }, pose }) => (blocked.includes(name) ? [{ pose, colour: "#d4351c" }] : risky.includes(name) ? [{ pose, colour: "#f2a33a" }] : []));
}

/** What was aimed, and beside it what the hand made of it. */
export function linesOf({ pose, aimed, made }: Trace): Line[] {
  const [x, y, z] = pose as [number, number, number];
  const line = (dir: number, speed: number, colour: string): Line => {
    const [c, s, length] = [Math.cos(radians(dir)), Math.sin(radians(dir)), arrowLength(speed)];
    return { points: [[x, y], [x + c * length, y + s * length]], z: Math.max(0.4, z - HALF + 0.4), width: 1.6, colour, dashed: true };
  };
  return [line(aimed.dir, aimed.speed, "#ffffff"), ...(made ? [line(made.dir, made.speed, "#d4351c")] : [])];
}


const FARTHEST_APART = 3; // mm between two points of a trail
const SEEN = 10; // mm: a brick that went less far leaves no trail

/** The ways that bricks went in a film, in the colours of their sides. */
export function trailsOf({ tracks }: Pick<Motion, "tracks">): Line[] {
  return [...tracks].flatMap(([name, { poses }]): Line[] => {
    const points: [number, number][] = [[poses[0]!, poses[1]!]];
    for (let at = 7; at < poses.length; at += 7) {
      const [x, y] = [poses[at]!, poses[at + 1]!];
      const [lastX, lastY] = points.at(-1)!;
      if (Math.hypot(x - lastX, y - lastY) >= FARTHEST_APART) points.push([x, y]);
    }
    const went = points.slice(1).reduce((sum, [x, y], k) => sum + Math.hypot(x - points[k]![0], y - points[k]![1]), 0);
    return went < SEEN ? [] : [{ points, z: 0.35, width: 2.2, colour: BODY[name.startsWith("r") ? 1 : 2] }];
  });
}
