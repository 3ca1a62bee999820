// The player's plan: a flick, or a brick to set down. The form and the board change the same one.
import { degrees, radians, restingHeight, turn, yawOf, type Point, type Spot } from "./geometry";
import { flickText, freezeText, placeText, type Flick } from "./notation";
import { FREEZE, KING, type Brick, type Legal, type Limits, type Placing, type View } from "./view";

/** A brick in hand. A Freeze may be set down on any brick that it stops. */
export type Setting = Pick<Placing, "brick"> & Partial<Pick<Placing, "zones" | "spot">> & { why: Placing["why"] | "freeze" };

export class Aim implements Flick {
  brick = $state("");
  dir = $state(90);
  speed = $state(1.5);
  height = $state(0);
  side = $state(0);
  follow = $state(8);
  /** How far the pointer has pulled back, from 0 to 1; null while nothing is pulled. */
  pull = $state<number | null>(null);

  /** The direction was chosen by a click or is a suggestion: a button lets go, since nothing is pulled. */
  isTaken = $state(false);

  /** A brick that is about to be set down, and where. */
  setting = $state.raw<Setting | null>(null);
  spot = $state.raw<Spot>({ x: 0, y: 0, yaw: 0, up: 1 });

  /** The brick that an Assassin would strike. */
  target = $state("");

  #seat = 0;
  #turn = 0;

  /** Keep the aim and the brick in hand within the legal moves. */
  settle(view: View, legal: Legal | null, seat: number | null): void {
    if (!legal?.flick?.bricks.includes(this.brick)) this.pull = null;
    if (!legal?.flick) this.isTaken = false;
    if (!legal || seat === null) {
      this.setting = null;
      return;
    }
    if (seat !== this.#seat) {
      this.#seat = seat;
      this.dir = seat === 1 ? 90 : 270;
      this.height = this.side = 0;
      this.speed = legal.flick ? Math.round(legal.flick.speed[1] * 60) / 100 : 1.5;
      this.brick = "";
    }
    const { flick, place = [], freeze = [], strike = [] } = legal;
    const targets = strike.flatMap((one) => one.targets);
    if (!targets.includes(this.target)) this.target = targets[0] ?? "";
    if (flick) {
      if (!flick.bricks.includes(this.brick)) this.brick = foremost(view, flick.bricks, seat);
      if (view.turn !== this.#turn) this.#faceKing(view, seat);
      this.#turn = view.turn;
      this.speed = within(this.speed, flick.speed);
      this.height = within(this.height, flick.height);
      this.side = within(this.side, flick.side);
      this.follow = flick.follow[2] ?? within(this.follow, flick.follow);
    }
    const still = this.setting && (this.setting.why === "freeze" ? freeze.includes(this.setting.brick) : place.some(({ brick }) => brick === this.setting!.brick));
    if (!still) this.setting = null;
    const must = view.asked?.what === "place" && view.asked.seat === seat ? place[0] : undefined;
    if (must && !this.setting) this.take(must, view, seat);
  }

  /** A brick beyond the dividing line looks at the other King when a turn begins: its old direction leads off the board. */
  #faceKing(view: View, seat: number): void {
    const from = brickNamed(view, this.brick)?.pose;
    const to = view.bricks.find(({ kind, side }) => kind === KING && side !== seat)?.pose;
    if (from && to && from[1]! * (seat === 1 ? 1 : -1) > 0) this.aimAt({ x: from[0]!, y: from[1]! }, { x: to[0]!, y: to[1]! });
  }

  /** Take a brick in hand, over the spot that is proposed. A Freeze is held over the first brick that it may stop. */
  take(setting: Setting, view: View, seat: number): void {
    const target = view.bricks.find((brick) => brick.army !== seat && brick.where === "board" && brick.kind !== KING && brick.kind !== FREEZE);
    const [x, y] = setting.spot ?? target?.pose ?? [0, 0];
    this.setting = setting;
    this.spot = { x: x!, y: y!, yaw: seat === 2 ? 180 : 0, up: 1 };
  }

  put(part: Partial<Spot>): void {
    this.spot = { ...this.spot, ...part };
  }

  /** Towards a point of the board. */
  aimAt(from: Point, to: Point): void {
    this.dir = rounded(turn(degrees(Math.atan2(to.y - from.y, to.x - from.x))));
  }

  get flick(): string {
    return flickText(this);
  }

  get place(): string {
    const { brick, why } = this.setting!;
    return why === "freeze" ? freezeText(brick, this.spot) : placeText(brick, this.spot);
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
export const within = (value: number, [least, most]: Limits): number => Math.max(least, Math.min(most, value));

/** The brick that stands furthest ahead: a good one to begin with. */
function foremost(view: View, bricks: string[], seat: number): string {
  const ahead = (name: string): number => (brickNamed(view, name)?.pose?.[1] ?? 0) * (seat === 1 ? 1 : -1);
  return bricks.reduce((best, name) => (best && ahead(best) >= ahead(name) ? best : name), "");
}

export const brickNamed = (view: View, name: string): Brick | undefined => view.bricks.find((brick) => brick.name === name);

/** The height at which a brick would rest on what lies there. */
export function heightAt(spot: Spot, view: View, name: string): number {
  const others = view.bricks.flatMap(({ name: other, pose }) => (pose && other !== name ? [{ at: { x: pose[0]!, y: pose[1]! }, yaw: yawOf(pose), z: pose[2]! }] : []));
  return restingHeight(spot, others, view.board.brick);
}

/** How long the line of a flick is that was made: longer for more speed. */
export const arrowLength = (speed: number): number => 30 + speed * 40;

