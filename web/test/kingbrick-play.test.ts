// KingBrick as it is seen: the camera, the ways that bricks went, the last flick with what followed, and the match as a whole.
import { Vector3 } from "three";
import { expect, test } from "vitest";
import { beside, type Pixel } from "../src/games/kingbrick/beside.ts";
import { Viewer } from "../src/games/kingbrick/camera.ts";
import { dramaAt } from "../src/games/kingbrick/drama.ts";
import { trailsOf } from "../src/games/kingbrick/drawn.ts";
import { above, across, behind } from "../src/games/kingbrick/eyes.ts";
import { readMotion } from "../src/games/kingbrick/motion.ts";
import { Screens } from "../src/games/kingbrick/screens.ts";
import { shotOf } from "../src/games/kingbrick/shot.ts";
import { filmed, hitOf, summarize } from "../src/games/kingbrick/summary.ts";
import type { View } from "../src/games/kingbrick/view.ts";
import type { Entry } from "../src/lib/protocol.ts";
import { FILM } from "./kingbrick-film.ts";

const entry = (n: number, by: number, move: string, marks: Record<string, unknown> = {}): Entry => ({ n, by, move, marks, message: { key: "kingbrick.said.still" } });
const rest = `rest {"fell":[["b2"]],"motion":"${FILM}","poses":{}}`;
const FLICK = entry(1, 1, "flick r3 dir=90 speed=1 height=0 side=0 follow=8", { brick: "r3", dir: 90, speed: 1 });
const REST = entry(3, 0, rest, { fell: [["b2"]], captured: ["b1"], infraction: null });
const ROLL = entry(4, 0, "roll b1 2", { brick: "b1", face: 2, mood: "happy" });

test("the last flick stays with its film, its rolls and what happened, until the next one", () => {
  const shot = shotOf([FLICK, REST, ROLL])!;
  expect([shot.film, shot.fell, shot.isOver]).toEqual([FILM, [["b2"]], false]);
  expect(shot.rolls.map(({ brick, face }) => [brick, face])).toEqual([["b1", 2]]);
  expect(shot.happened).toEqual([
    { what: "fell", brick: "b2" },
    { what: "captured", brick: "b1" },
    { what: "escaped", brick: "b1" },
  ]);
  const next = shotOf([FLICK, REST, ROLL, entry(5, 2, "flick b3 dir=270 speed=1 height=0 side=0 follow=8", { brick: "b3" })])!;
  expect([next.isOver, next.happened.length]).toEqual([true, 3]);
  expect(shotOf([entry(1, 1, "ready")])).toBeNull();
});

test("bricks leave trails in their colours where they went, as far as they went", async () => {
  const [mine, theirs, ...more] = trailsOf(await readMotion(FILM));
  expect(more).toEqual([]);
  expect(mine!.points[0]![1]).toBeCloseTo(-100, 0);
  expect(mine!.points.at(-1)![1]).toBeGreaterThan(-55);
  expect(theirs!.points[0]![1]).toBeCloseTo(-60, 0);
  expect(mine!.colour).not.toBe(theirs!.colour);
});

test("the action is where bricks move, and nowhere when they lie", async () => {
  const motion = await readMotion(FILM);
  const middle = motion.actionAt(0.2)!;
  expect(middle.near).toBeGreaterThan(-100);
  expect(middle.far).toBeLessThan(-10);
  expect(motion.actionAt(0)).toBeNull();
  expect(motion.actionAt(9)).toBeNull();
});

test("the camera follows the action and goes back to what the player saw", () => {
  const viewer = new Viewer(400, 600);
  viewer.go(across(1), false);
  for (let k = 0; k < 120; k++) viewer.follow({ left: 0, right: 40, near: 180, far: 240 }, 1 / 60);
  expect(viewer.eye.zoom).toBeGreaterThan(1.3);
  expect(viewer.eye.y).toBeGreaterThan(60);
  viewer.unfollow();
  viewer.glide(performance.now() + 1000);
  expect([viewer.eye.zoom, viewer.eye.x, viewer.eye.y]).toEqual([1, 0, 0]);
});

test("a player who moves the camera during a film keeps that view", () => {
  const viewer = new Viewer(400, 600);
  viewer.follow({ left: 0, right: 40, near: 180, far: 240 }, 0.5);
  viewer.turnBy(20, 0);
  const seen = { ...viewer.eye };
  viewer.unfollow();
  expect(viewer.glide(performance.now() + 1000)).toBe(false);
  expect(viewer.eye).toEqual(seen);
});

test.each([0, 90, 200])("from behind a brick aimed at %i degrees, the camera looks along its way", (dir) => {
  const viewer = new Viewer(400, 600);
  viewer.go(behind(20, -60, dir), false);
  viewer.settle(1);
  const away = new Vector3(20, -60, 0).sub(viewer.camera.position);
  const [c, s] = [Math.cos((dir * Math.PI) / 180), Math.sin((dir * Math.PI) / 180)];
  expect(away.x * c + away.y * s).toBeGreaterThan(50);
  expect(Math.abs(away.y * c - away.x * s)).toBeLessThan(5);
});

test("nearer or panned, the camera stays over the board", () => {
  const viewer = new Viewer(400, 600);
  viewer.go(above(1), false);
  viewer.zoomBy(100);
  viewer.panBy(5000, -5000);
  expect([viewer.eye.zoom, viewer.eye.x, viewer.eye.y]).toEqual([4, 200, -300]);
});

test("where buttons cover the picture, the board stays clear of them", () => {
  const far = (viewer: Viewer): number => {
    viewer.settle(1);
    return new Vector3(0, 300, 0).project(viewer.camera).y;
  };
  const [plain, clear] = [new Viewer(400, 600), new Viewer(400, 600)];
  clear.covered = { top: 0.2, bottom: 0.1 };
  expect(far(plain)).toBeGreaterThan(0.8);
  expect(far(clear)).toBeLessThan(0.62);
  const near = new Vector3(0, -300, 0).project(clear.camera).y;
  expect(near).toBeGreaterThan(-0.82);
});

test("both screens stand until both players are ready, and then rise", () => {
  const screens = new Screens(400);
  const heights = (): number[] => screens.group.children.map(({ position }) => position.z);
  screens.stand(true, true, 0);
  const [down] = heights();
  expect([screens.group.visible, screens.group.children.length, screens.rise(50)]).toEqual([true, 2, false]);
  screens.stand(false, true, 1000);
  expect(screens.rise(1600)).toBe(true);
  for (const height of heights()) expect(height).toBeGreaterThan(down! + 50);
  expect([screens.rise(2200), screens.group.visible]).toEqual([false, false]);
  screens.stand(true, true, 3000);
  expect(heights()).toEqual([down, down]);
  screens.stand(false, false, 3000); // with reduced motion they are gone at once
  expect(screens.group.visible).toBe(false);
});

test("a match is summed up by its flicks and their films", async () => {
  const motion = await readMotion(FILM);
  const [hit] = hitOf({ seat: 1, brick: "r3" }, motion);
  expect([hit!.target, Math.round(hit!.far)]).toEqual(["b1", 40]);
  expect(hit!.speed).toBeGreaterThan(0.2);
  expect(hit!.speed).toBeLessThan(1.2);
  expect(hitOf({ seat: 2, brick: "b1" }, motion)[0]!.target).toBe("r3");

  const foul = entry(6, 0, rest, { fell: [], infraction: "misflick" });
  const line = [FLICK, REST, ROLL, entry(5, 2, "flick b1 dir=270 speed=1 height=0 side=0 follow=8", { brick: "b1" }), foul];
  expect(filmed(line).map(({ seat, isFoul }) => [seat, isFoul])).toEqual([[1, false], [2, true]]);
  const bricks = [{ side: 1, where: "board" }, { side: 2, where: "out" }, { side: 2, where: "out" }];
  const summary = await summarize({ stage: "play", bricks } as unknown as View, line);
  expect([summary.flicks, summary.lost, summary.fouls]).toEqual([[1, 1], [0, 2], [0, 1]]);
  expect(summary.longest!.much).toBeCloseTo(hit!.far, 3);
});

test("a film slows down by itself when a King is hit, and stays slow when it falls", () => {
  expect([0, 0.95, 1.2, 1.5].map((time) => dramaAt(time, 1, false) > 1)).toEqual([false, true, true, false]);
  expect([0, 0.95, 1.2, 1.5].map((time) => dramaAt(time, 1, true) > 1)).toEqual([false, true, true, true]);
  expect(dramaAt(1, Infinity, false)).toBe(1);
});

test("the label of a pull stands beside the hand: in the picture, not on the hand, the brick or its way", () => {
  const [wide, high] = [150, 40];
  const picture: Pixel = [360, 460];
  const holds = ([a, b]: Pixel, [x, y]: Pixel): boolean => x > a && x < a + wide && y > b && y < b + high;
  for (const brick of [[180, 230], [30, 60], [330, 60], [40, 400], [320, 400]] as Pixel[])
    for (let turn = 0; turn < 360; turn += 15) {
      const [c, s] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
      const hand: Pixel = [brick[0] + c * 110, brick[1] + s * 110];
      if (hand[0] < 0 || hand[1] < 0 || hand[0] > picture[0] || hand[1] > picture[1]) continue;
      const at = beside(hand, brick, [wide, high], picture, 18);
      const seen = `brick ${brick}, hand ${hand}, label ${at}`;
      expect(at[0] >= 0 && at[1] >= 0 && at[0] + wide <= picture[0] && at[1] + high <= picture[1], seen).toBe(true);
      expect(holds(at, hand), seen).toBe(false);
      for (let way = -110; way < 300; way += 10) expect(holds(at, [brick[0] - c * way, brick[1] - s * way]), seen).toBe(false);
    }
});
