// What a pointer does on the board: pull a brick back like a slingshot, set one down, or turn the view.
import { within, type Aim } from "./aim.svelte";
import type { Laid } from "./lay";
import type { Legal } from "./view";

/** A way of drawing the board that can say where things are in the picture, in pixels. */
export interface Lens {
  toScreen(x: number, y: number, z: number): [number, number];
  toBoard(px: number, py: number, z: number): [number, number] | null;
  orbit?(dx: number, dy: number): void;
  zoom?(factor: number, px: number, py: number): void;
  pan?(fromX: number, fromY: number, toX: number, toY: number): void;
}

const FINGERTIP = 24; // pixels around a brick that still mean it
const STILL = 10; // pixels that are no pull yet
const REACH = 130; // pixels of the strongest pull, where there is room for it

type Doing = { what: "sling"; brick: string } | { what: "set"; on: [number, number] | null } | { what: "turn"; at: [number, number]; moved: number } | { what: "pan" } | { what: "pinch"; apart: number; middle: [number, number] };

export class Pointing {
  #doing: Doing | null = null;
  #fingers = new Map<number, [number, number]>();

  constructor(
    readonly aim: Aim,
    readonly lens: () => Lens | null,
    readonly laid: () => Laid[],
    readonly legal: () => Legal | null,
    readonly flick: () => void,
  ) {}

  /** The brick under the pointer, or next to it. */
  brickAt(px: number, py: number, among?: string[]): string | null {
    const lens = this.lens();
    let best: string | null = null;
    let least = FINGERTIP;
    for (const { brick, pose } of this.laid()) {
      if (among && !among.includes(brick.name)) continue;
      const [x, y] = lens!.toScreen(pose[0]!, pose[1]!, pose[2]!);
      const away = Math.hypot(x - px, y - py) - pose[2]! / 50; // of a tower the topmost
      if (away < least) [best, least] = [brick.name, away];
    }
    return best;
  }

  /** `pans` where the pointer takes hold of the board itself: with another button, or with Shift. */
  down(id: number, px: number, py: number, pans = false): void {
    const { aim } = this;
    this.#fingers.set(id, [px, py]);
    if (this.#fingers.size === 2) {
      aim.pull = null;
      this.#doing = { what: "pinch", ...this.#pinched() };
      return;
    }
    if (pans) {
      this.#doing = { what: "pan" };
      return;
    }
    const flick = this.legal()?.flick;
    const brick = flick && !aim.setting ? this.brickAt(px, py, flick.bricks) : null;
    if (brick) {
      aim.brick = brick;
      this.#doing = { what: "sling", brick };
    } else if (aim.setting && this.#putOn(px, py)) this.#doing = { what: "set", on: [px, py] };
    else if (aim.setting && this.#put(px, py, true)) this.#doing = { what: "set", on: null };
    else this.#doing = { what: "turn", at: [px, py], moved: 0 };
  }

  move(id: number, px: number, py: number): void {
    const before = this.#fingers.get(id);
    const doing = this.#doing;
    if (!before || !doing) return;
    this.#fingers.set(id, [px, py]);
    if (doing.what === "sling") this.#pull(doing.brick, px, py);
    else if (doing.what === "set") {
      if (doing.on && Math.hypot(px - doing.on[0], py - doing.on[1]) < STILL) return;
      doing.on = null;
      this.#put(px, py, false);
    } else if (doing.what === "turn") {
      doing.moved += Math.hypot(px - before[0], py - before[1]);
      if (doing.moved >= STILL) this.lens()?.orbit?.(px - before[0], py - before[1]);
    } else if (doing.what === "pan") this.lens()?.pan?.(...before, px, py);
    else if (this.#fingers.size === 2) {
      const { apart, middle } = this.#pinched();
      this.lens()?.pan?.(...doing.middle, ...middle);
      this.lens()?.zoom?.(apart / doing.apart, ...middle);
      Object.assign(doing, { apart, middle });
    }
  }

  up(id: number): void {
    this.#fingers.delete(id);
    const fired = this.#doing?.what === "sling" && this.aim.pull !== null;
    if (this.#doing?.what === "turn" && this.#doing.moved < STILL) this.#aimAt(...this.#doing.at);
    this.#doing = null;
    if (fired) this.flick();
    this.aim.pull = null;
  }

  /** Nothing comes of it. */
  cancel(): void {
    this.#fingers.clear();
    this.#doing = null;
    this.aim.pull = null;
  }

  /** A brick that cannot be flicked is aimed at when it is clicked, and one that can be struck is chosen. */
  #aimAt(px: number, py: number): void {
    const targets = this.legal()?.strike?.flatMap((one) => one.targets) ?? [];
    this.aim.target = this.brickAt(px, py, targets) ?? this.aim.target;
    const from = this.laid().find(({ brick }) => brick.name === this.aim.brick)?.pose;
    const name = this.legal()?.flick && !this.aim.setting ? this.brickAt(px, py) : null;
    const to = this.laid().find(({ brick }) => brick.name === name)?.pose;
    if (!from || !to || from === to) return;
    this.aim.aimAt({ x: from[0]!, y: from[1]! }, { x: to[0]!, y: to[1]! });
    this.aim.isTaken = true;
  }

  /** How far two fingers are apart, and the point between them. */
  #pinched(): { apart: number; middle: [number, number] } {
    const [a, b] = [...this.#fingers.values()] as [[number, number], [number, number]];
    return { apart: Math.max(20, Math.hypot(a[0] - b[0], a[1] - b[1])), middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  }

  #pull(brick: string, px: number, py: number): void {
    const { aim } = this;
    const lens = this.lens();
    const limits = this.legal()?.flick;
    const pose = this.laid().find((one) => one.brick.name === brick)?.pose;
    if (!lens || !limits || !pose) return this.cancel();
    const [x, y, z] = pose as [number, number, number];
    const [bx, by] = lens.toScreen(x, y, z);
    const pulled = Math.hypot(px - bx, py - by);
    const at = lens.toBoard(px, py, z);
    if (pulled < STILL || !at) {
      aim.pull = null;
      return;
    }
    aim.aimAt({ x: at[0], y: at[1] }, { x, y });
    const part = Math.min(1, (pulled - STILL) / (REACH - STILL));
    aim.pull = part;
    aim.isTaken = false;
    const [least, most] = limits.speed;
    aim.speed = Math.round(within(least + (most - least) * part, limits.speed) * 100) / 100;
  }

  /** A Freeze is set on the middle of the brick that is pointed at. From there it can be dragged. */
  #putOn(px: number, py: number): boolean {
    const name = this.aim.setting?.why === "freeze" ? this.brickAt(px, py) : null;
    const pose = this.laid().find(({ brick }) => brick.name === name)?.pose;
    if (pose) this.aim.put({ x: Math.round(pose[0]! * 10) / 10, y: Math.round(pose[1]! * 10) / 10 });
    return pose !== undefined;
  }

  #put(px: number, py: number, first: boolean): boolean {
    const { aim } = this;
    const at = this.lens()?.toBoard(px, py, 8);
    if (!at || (first && (Math.abs(at[0]) > 215 || Math.abs(at[1]) > 315))) return false;
    aim.put({ x: Math.round(at[0]), y: Math.round(at[1]) });
    return true;
  }
}
