// What the page computes from a log.
import { expect, test } from "vitest";
import type { Entry } from "../src/lib/protocol.ts";
import { bestMoves, race, standing } from "../src/lib/story.ts";

const entry = (n: number, by: number, move: string, score: number | null = null): Entry => ({ n, by, move, score, message: { key: "core.over" } });

test("an entry that was taken back does not stand", () => {
  const log = [entry(1, 0, "start 1"), entry(2, 1, "Ra1", 1), entry(3, 1, "Ya2", 1), entry(4, 0, "takeback 2"), entry(5, 1, "Gb1", 1)];
  expect(standing(log).map(({ n }) => n)).toEqual([1, 2, 5]);
});

test("a takeback of a takeback follows the line back", () => {
  const log = [entry(1, 1, "Ra1", 1), entry(2, 1, "Ya2", 1), entry(3, 0, "takeback 1"), entry(4, 1, "Yb2", 1), entry(5, 0, "takeback 1"), entry(6, 1, "Yc2", 1)];
  expect(standing(log).map(({ n }) => n)).toEqual([1, 6]);
});

const scoreOf = ({ score }: Entry): number => score ?? 0;

test("the best moves come first, the earlier of equals before the later", () => {
  const log = [entry(1, 1, "Ra1", 2), entry(2, 2, "Ya2", 10), entry(3, 1, "Gb1", 10), entry(4, 2, "Bb2", 1)];
  expect(bestMoves(log, scoreOf).map(({ n }) => n)).toEqual([2, 3, 1]);
});

const earned = ({ by, score }: Entry): number[] => [1, 2, 3, 4].map((seat) => (seat === by ? score! : 0));

test("the race counts every player's points after every entry that scored", () => {
  const log = [entry(1, 0, "start 1"), entry(2, 1, "Ra1", 2), entry(3, 2, "Ya2", 5), entry(4, 1, "Gb1", 1)];
  expect(race(log, [[2], [1]], earned)).toEqual([
    { seat: 2, points: [0, 0, 5, 5] },
    { seat: 1, points: [0, 2, 2, 3] },
  ]);
});

test("the race has one line for a team, with the points of both partners", () => {
  const log = [entry(1, 1, "Ra1", 2), entry(2, 2, "Ya2", 5), entry(3, 3, "Gb1", 1), entry(4, 4, "Bb2", 3)];
  expect(race(log, [[2, 4], [1, 3]], earned)).toEqual([
    { seat: 2, points: [0, 0, 5, 5, 8] },
    { seat: 1, points: [0, 2, 2, 3, 3] },
  ]);
});
