// What a review offers to learn from: the worst moments of the one who learns, and what a move cost.
import { expect, test } from "vitest";
import { lessons, lossOf, percent, type Choice, type Decision, type Verdict } from "../src/lib/review.svelte.ts";

const choice = (chance: number): Choice => ({ move: "Re5", chance, message: { key: "pinpoint.said.single" }, marks: {} });

function decision(n: number, seat: number, best: number, played: number, verdict: Verdict): Decision {
  return { n, seat, open: null, line: [], message: null, known: { chances: [best, 1 - best], played, error: 0, verdict, best: [choice(best)] } };
}

test("lessons are the worst decisions of one's own, worst first", () => {
  const all = [decision(1, 1, 0.6, 0.48, "inaccurate"), decision(2, 2, 0.9, 0.1, "blunder"), decision(3, 1, 0.5, 0.5, "fine"), decision(4, 1, 0.7, 0.3, "blunder")];
  expect(lessons(all, [], [1]).map(({ n }) => n)).toEqual([4, 1]);
  expect(lessons(all, [], [1, 2], 2).map(({ n }) => n)).toEqual([2, 4]);
  expect(lessons(all, [], [])).toEqual([]);
  const turn = { n: 3, seat: 1, first: 3, last: 4, loss: 0.4, verdict: "blunder" } as const; // much, in small steps
  expect(lessons(all, [turn], [1]).map(({ n }) => n)).toEqual([4, 1, 3]);
});

test("a loss is never below nothing, and chances are shown in a hundred", () => {
  expect(lossOf(decision(1, 1, 0.61, 0.34, "mistake").known)).toBeCloseTo(0.27);
  expect(lossOf(decision(1, 1, 0.3, 0.4, "fine").known)).toBe(0);
  expect(percent(0.345)).toBe("35");
});
