// What a film sounds like: wherever a brick changes its speed at once, wood met wood.
import type { Motion } from "./motion";

export interface Knock {
  /** Seconds since the film began. */
  at: number;
  /** From 0 to 1. */
  loud: number;
}

const SOFTEST = 0.25; // m/s of sudden change that can be heard
const LOUDEST = 2.5;
const APART = 0.02; // seconds; what comes closer together sounds as one
const MOST = 24; // of a film

export function knocksOf({ tracks, rate }: Pick<Motion, "tracks" | "rate">): Knock[] {
  const heard: Knock[] = [];
  for (const { first, poses } of tracks.values()) {
    const count = poses.length / 7;
    const moved = (frame: number, axis: number): number => poses[frame * 7 + axis]! - poses[(frame - 1) * 7 + axis]!;
    for (let frame = 2; frame < count; frame++) {
      const change = (Math.hypot(...[0, 1, 2].map((axis) => moved(frame, axis) - moved(frame - 1, axis))) * rate) / 1000;
      if (change > SOFTEST) heard.push({ at: (first + frame) / rate, loud: Math.min(1, change / LOUDEST) });
    }
  }
  const loudest = heard.toSorted((a, b) => b.loud - a.loud);
  const kept: Knock[] = [];
  for (const one of loudest) if (kept.length < MOST && kept.every(({ at }) => Math.abs(at - one.at) >= APART)) kept.push(one);
  return kept.toSorted((a, b) => a.at - b.at);
}
