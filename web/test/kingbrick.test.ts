// KingBrick's own arithmetic: films unpacked, cubes turned, moves written, and the room that a stack needs.
import { expect, test } from "vitest";
import { Aim } from "../src/games/kingbrick/aim.svelte.ts";
import { overlap, restingHeight, square, standing, topFace, yawOf } from "../src/games/kingbrick/geometry.ts";
import { readMotion } from "../src/games/kingbrick/motion.ts";
import { filmOf, flickText, placeText, readMove, short, standText } from "../src/games/kingbrick/notation.ts";
import { knocksOf } from "../src/games/kingbrick/knocks.ts";
import { errorAt, foresee, strengthOf } from "../src/games/kingbrick/preview.ts";
import type { Brick, Legal, View } from "../src/games/kingbrick/view.ts";
import { FILM } from "./kingbrick-film.ts";

const close = (pose: readonly number[] | null, wanted: number[]): void => wanted.forEach((value, k) => expect(pose![k]).toBeCloseTo(value, k < 3 ? 1 : 3));

test("a film is read as the server wrote it", async () => {
  const motion = await readMotion(FILM);
  expect([motion.rate, motion.frames, [...motion.tracks.keys()]]).toEqual([120, 47, ["r3", "b1"]]);
  close(motion.poseAt("r3", 0), [0, -100, 8, 0, 0, 0.0872, 0.9962]);
  close(motion.poseAt("r3", 9), [6.89, -47.26, 8, -0.6961, -0.1244, 0.1244, 0.6961]);
  close(motion.poseAt("b1", 9), [0.57, -24.62, 8, -0.0662, 0.704, -0.0662, -0.704]);
  expect(motion.poseAt("b12", 0.1)).toBeNull(); // it does not move
  close(motion.fingerAt(9 / 120)!, [0, -105.26, 6]);
  expect(motion.fingerAt(1)).toBeNull();
});

test("a film is in what was measured, and nowhere else", () => {
  expect(filmOf(`rest {"fell":[],"motion":"${FILM}","poses":{}}`)).toBe(FILM);
  expect([filmOf('rest {"motion":""}'), filmOf('rest {"poses":{}}'), filmOf("roll r3 4"), filmOf(undefined)]).toEqual([null, null, null, null]);
});

test("a film begins when the finger reaches the brick", async () => {
  const motion = await readMotion(FILM);
  const away = (seconds: number): number => Math.hypot(...[0, 1, 2].map((k) => motion.poseAt("r3", seconds)![k]! - motion.poseAt("r3", 0)![k]!));
  expect(motion.begins).toBeGreaterThan(0);
  expect(away(motion.begins)).toBeLessThan(0.1);
  expect(away(motion.begins + 1 / motion.rate)).toBeGreaterThan(0.1);
});

test("between two frames a brick is between two poses", async () => {
  const motion = await readMotion(FILM);
  const [before, at, after] = [10, 10.5, 11].map((frame) => motion.poseAt("r3", frame / 120)!) as [number[], number[], number[]];
  expect(at[1]).toBeCloseTo((before[1]! + after[1]!) / 2, 4);
  expect(Math.hypot(...at.slice(3))).toBeCloseTo(1, 6);
});

test.each([1, 2, 3, 4, 5, 6])("face %i is up when it is put up, however the brick is turned", (up) => {
  for (const yaw of [0, 15, 44, 89]) {
    const pose = standing({ x: 1, y: 2, yaw, up }, 8);
    expect(topFace(pose)).toBe(up);
    expect(Math.min(Math.abs(yawOf(pose) - yaw), 90 - Math.abs(yawOf(pose) - yaw))).toBeLessThan(1e-6);
  }
});

test("a brick rests on whatever lies under it, and beside what only touches it", () => {
  const at = { x: 0, y: 0 };
  const below = [{ at, yaw: 0, z: 8 }];
  expect(restingHeight({ x: 15, y: 0, yaw: 0 }, below, 16)).toBe(24);
  expect(restingHeight({ x: 16, y: 0, yaw: 0 }, below, 16)).toBe(8);
  expect(overlap(square(at, 0, 16), square({ x: 17, y: 0 }, 45, 16))).toBe(true);
  expect(overlap(square(at, 0, 16), square({ x: 17, y: 17 }, 0, 16))).toBe(false);
});

test("moves are written as the notation has them", () => {
  const flick = { brick: "r3", dir: 359.97, speed: 2.401, height: 1.5, side: -0.04, follow: 8 };
  expect(flickText(flick)).toBe("flick r3 dir=0 speed=2.4 height=1.5 side=0 follow=8");
  expect(standText("b1", { x: 0, y: 190, yaw: -90, up: 6 })).toBe("stand b1 x=0 y=190 yaw=270 up=6");
  expect(short(-0.04)).toBe("0");
  expect(readMove("flick r3 dir=90 speed=2.4 height=1.5 side=0 follow=8")).toEqual({ flick: { ...flick, dir: 90, speed: 2.4, side: 0 } });
  const spot = { x: 40, y: -190.5, yaw: 15, up: 2 };
  expect(readMove(placeText("r1", spot))).toEqual({ place: "r1", spot });
  expect([readMove("end"), readMove(null), readMove("hide r5")]).toEqual([null, null, null]);
});

test("a brick that is pulled back stays so whatever is told meanwhile, as long as it may be flicked", () => {
  const view = { bricks: [], asked: { seat: 1, what: "turn" } } as unknown as View;
  const flicking = (...bricks: string[]): Legal => ({ flick: { bricks, speed: [0.05, 4], height: [-6, 6], side: [-7, 7], follow: [6, 40, 8], finger: [6, 20], slows: 6.4, error: [] } });
  const aim = new Aim();
  aim.settle(view, flicking("r2", "r3"), 1);
  Object.assign(aim, { brick: "r3", pull: 0.4, speed: 1.6 });
  aim.settle({ ...view }, flicking("r2", "r3"), 1); // somebody came to watch
  expect([aim.brick, aim.pull, aim.speed]).toEqual(["r3", 0.4, 1.6]);
  aim.settle({ ...view }, flicking("r2"), 1);
  expect([aim.brick, aim.pull]).toEqual(["r2", null]);
  aim.pull = 0.4;
  aim.settle({ ...view }, null, 1);
  expect(aim.pull).toBeNull();
});

test("a brick beyond the line looks at the other King when a turn begins, and one at home where it looked before", () => {
  const flick: NonNullable<Legal["flick"]> = { bricks: ["r2", "r3"], speed: [0.05, 4], height: [-6, 6], side: [-7, 7], follow: [6, 40, 8], finger: [6, 20], slows: 6.4, error: [] };
  const lies = (name: string, x: number, y: number): Brick => ({ name, kind: name === "b1" ? "K" : "G", side: name[0] === "r" ? 1 : 2, pose: standing({ x, y, yaw: 0, up: 1 }, 8) }) as unknown as Brick;
  const at = (turn: number): View => ({ turn, bricks: [lies("r2", -100, 190), lies("r3", 0, -100), lies("b1", 0, 190)], asked: { seat: 1, what: "turn" } }) as unknown as View;
  const aim = new Aim();
  aim.settle(at(1), { flick }, 1);
  expect([aim.brick, aim.dir]).toEqual(["r2", 0]);
  aim.dir = 120;
  aim.settle(at(1), { flick }, 1); // the same turn: the player has aimed
  expect(aim.dir).toBe(120);
  aim.settle(at(3), { flick }, 1);
  expect(aim.dir).toBe(0);
  Object.assign(aim, { brick: "r3", dir: 80 });
  aim.settle(at(5), { flick }, 1);
  expect(aim.dir).toBe(80);
});

const CURVE = [
  [0, 0.5, 0, 0.2, 0.2],
  [1, 1, 0.1, 0.4, 0.4],
  [2, 3, 0.3, 1, 1],
] as const;
const LIMITS: NonNullable<Legal["flick"]> = { bricks: ["r1"], speed: [0.05, 2], height: [-6, 6], side: [-7, 7], follow: [6, 40, 8], finger: [6, 20], slows: 6.4, error: [...CURVE] };
const board = (...spots: [string, number, number][]): View =>
  ({ bricks: spots.map(([name, x, y]) => ({ name, pose: standing({ x, y, yaw: 0, up: 1 }, 8) }) as unknown as Brick), board: { width: 400, length: 600, brick: 16, castles: [] } }) as unknown as View;
const AHEAD = { brick: "r1", dir: 90, speed: 1, height: 0, side: 0, follow: 8 };

test("the error of a hand is read between the speeds that are told", () => {
  expect(errorAt([...CURVE], 1)).toEqual([1, 0.1, 0.4, 0.4]);
  expect(errorAt([...CURVE], 1.5)[0]).toBeCloseTo(2);
  expect(errorAt([...CURVE], 9)[0]).toBe(3);
  expect(errorAt([], 1)).toEqual([0, 0, 0, 0]);
});

test("a flick is seen up to the first brick that it meets, or until it stops", () => {
  const free = foresee(board(["r1", 0, -100]), LIMITS, AHEAD)!;
  expect(free.meets).toBeNull();
  expect(free.length).toBeCloseTo(8 + 1000 / 12.8, 0);
  const met = foresee(board(["r1", 0, -100], ["b2", 3, -50], ["b3", 0, -20]), LIMITS, AHEAD)!;
  expect(met.meets).toBe("b2");
  expect(met.length).toBeGreaterThanOrEqual(34);
  expect(met.length).toBeLessThan(36);
  expect(met.ghost[1]).toBeCloseTo(-100 + met.length, 6);
  expect(met.spread).toBeLessThan(free.spread);
  expect(foresee(board(["r1", 0, -100]), { ...LIMITS, error: [] }, AHEAD)!.spread).toBe(0);
});

test("what leaves the finger no room and what it may touch is told apart", () => {
  const at = foresee(board(["r1", 0, 0]), LIMITS, AHEAD)!;
  expect(at.finger[0]).toBeCloseTo(0);
  expect(at.finger.slice(1)).toEqual([-34, 8]);
  expect(foresee(board(["r1", 0, 0], ["r2", 0, -34]), LIMITS, AHEAD)!.blocked).toEqual(["r2"]);
  const beside = board(["r1", 0, 0], ["r2", 15, -22]);
  expect(foresee(beside, LIMITS, AHEAD)!.risky).toEqual(["r2"]);
  expect(foresee(beside, { ...LIMITS, error: [] }, AHEAD)!.risky).toEqual([]);
});

test.each([
  [0.3, "soft"],
  [1, "medium"],
  [2, "hard"],
])("%d m/s of 2 are %s", (speed, word) => expect(strengthOf(speed, 2)).toBe(word));

test("a film sounds where bricks meet, and the harder the louder", async () => {
  const knocks = knocksOf(await readMotion(FILM));
  expect(knocks.length).toBeGreaterThan(0);
  expect(knocks.length).toBeLessThanOrEqual(24);
  for (const { at, loud } of knocks) {
    expect(at).toBeGreaterThan(0);
    expect(loud).toBeGreaterThan(0);
    expect(loud).toBeLessThanOrEqual(1);
  }
  expect(knocksOf({ rate: 120, tracks: new Map() })).toEqual([]);
});
