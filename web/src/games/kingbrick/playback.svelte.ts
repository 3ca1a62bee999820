// What moves on the board for a moment: a flick from its trajectory, or a release roll.
import { dramaAt } from "./drama";
import type { Action } from "./eyes";
import { standing } from "./geometry";
import { knock } from "../../lib/sound.svelte";
import { knocksOf, type Knock } from "./knocks";
import { readMotion, type Motion } from "./motion";
import { ROLLED, SLAB } from "./sizes";
import type { Pose } from "./view";

const AFTERMATH = 0.35; // seconds that a picture stands after the last brick has come to rest
const TUMBLE = 0.95; // seconds that a release roll takes, and how long its face is shown
const SHOWN = 0.7;
const FRAME = 1000 / 60; // milliseconds

interface Roll {
  brick: string;
  face: number;
}

/** A brick somewhere on its way. */
export interface Moving {
  name: string;
  pose: Pose;
  size: number;
}

export class Playback {
  motion = $state.raw<Motion | null>(null);
  roll = $state.raw<Roll | null>(null);
  /** Seconds since the motion began. Where there is a screen only its beginning and its end are told. */
  time = $state(0);
  running = $state(false);
  /** How many times slower than in truth. */
  slowness = $state(1);
  /** Draws every frame at once, past all that follows from `time`. */
  screen: ((time: number) => void) | null = null;
  #fell = new Set<string>();
  #knocks: Knock[] = [];
  #stop: () => void = () => {};

  /** Play a flick. When one of the Kings is hit, it slows down by itself. Return whether it was played to its end. */
  async play(packed: string, fell: string[][], slowness = 1, kings: string[] = []): Promise<boolean> {
    this.running = true;
    const motion = await readMotion(packed);
    this.stop();
    this.motion = motion;
    this.roll = null;
    this.slowness = slowness;
    this.#fell = new Set(fell.flat());
    const first = slowness > 1 ? 0 : motion.begins; // slowly, one also sees the finger come
    const hit = Math.min(...kings.map((name) => motion.leaves(name)));
    const falls = kings.some((name) => this.#fell.has(name));
    const slowed = (time: number): number => (slowness === 1 ? dramaAt(time, hit, falls) : slowness);
    this.#knocks = knocksOf(motion);
    return this.#run(first, motion.seconds + (this.#fell.size ? AFTERMATH : 0.05), slowed);
  }

  /** Play a release roll. Return whether it was played to its end. */
  async tumble(brick: string, face: number): Promise<boolean> {
    this.stop();
    this.motion = null;
    this.slowness = 1;
    this.roll = { brick, face };
    this.#knocks = [];
    return this.#run(0, TUMBLE + SHOWN, () => 1);
  }

  /** The bricks lie as the view says. */
  get still(): boolean {
    return !this.motion && !this.roll;
  }

  /** Let the bricks lie as the view says. */
  clear(): void {
    if (!this.running) this.motion = this.roll = null;
  }

  /** Stop what plays, for something newer. */
  stop(): void {
    this.#stop();
  }

  #run(first: number, seconds: number, slowed: (time: number) => number): Promise<boolean> {
    this.time = first;
    this.running = true;
    return new Promise((done) => {
      let before = 0;
      let time = first;
      let frame = requestAnimationFrame(step);
      const finish = (isWhole: boolean): void => {
        cancelAnimationFrame(frame);
        this.time = time;
        this.running = false;
        this.#stop = () => {};
        done(isWhole);
      };
      this.#stop = () => finish(false);
      const self = this;
      function step(now: number): void {
        before ||= now - FRAME; // how all lay is seen already
        const slowness = slowed(time);
        if (slowness !== self.slowness) self.slowness = slowness;
        const from = time;
        time = Math.min(seconds, time + (now - before) / 1000 / slowness);
        before = now;
        for (const { at, loud } of self.#knocks) if (at >= from && at < time) knock(loud, slowness);
        if (self.screen) self.screen(time);
        else self.time = time;
        if (time < seconds) frame = requestAnimationFrame(step);
        else finish(true);
      }
    });
  }

  /** Where a brick is while something moves; null if it lies where the view says. */
  poseOf(brick: string, size: number, time = this.time): Pose | null {
    if (this.roll) return brick === this.roll.brick ? tumbling(this.roll.face, time / TUMBLE) : null;
    if (!this.motion) return null;
    return this.#fell.has(brick) ? this.motion.fallAt(brick, time, size / 2 - SLAB) : this.motion.poseAt(brick, time);
  }

  /** All that moves, where it is at that time. */
  movingAt(time: number, size: number): Moving[] {
    const names = this.roll ? [this.roll.brick] : [...(this.motion?.tracks.keys() ?? [])];
    return names.map((name) => ({ name, pose: this.poseOf(name, size, time)!, size: this.roll ? ROLLED : 1 }));
  }

  /** Where the action is at a time; null where nothing moves on the board. */
  actionAt(time: number): Action | null {
    return this.motion?.actionAt(time) ?? null;
  }

  fingerAt(time: number): Pose | null {
    return this.motion?.fingerAt(time) ?? null;
  }
}

/** A cube that is thrown over the middle of the board, spins ever slower, and comes to rest on its face. */
function tumbling(face: number, part: number): Pose {
  const left = Math.max(0, 1 - part);
  const bounce = Math.abs(Math.cos(left * left * 9)) * left * 60;
  const rest = standing({ x: 0, y: 0, yaw: 20, up: face }, 0);
  const spin = left * left * 14;
  const [ax, ay, az] = [0.64, 0.48, 0.6];
  const [s, c] = [Math.sin(spin / 2), Math.cos(spin / 2)];
  const [bx, by, bz, bw] = rest.slice(3) as [number, number, number, number];
  const [x, y, z] = [ax * s, ay * s, az * s];
  return [
    left * -120,
    left * 30,
    48 + bounce,
    c * bx + x * bw + y * bz - z * by,
    c * by - x * bz + y * bw + z * bx,
    c * bz + x * by - y * bx + z * bw,
    c * bw - x * bx - y * by - z * bz,
  ];
}
