// What a review offers to learn from: the worst moments of the one who learns, what a move cost, and how it is told.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Entry, Message } from "../src/lib/protocol.ts";
import { joined, lessons, lossOf, neighbour, percent, percentLost, restsAt, Review, steadied, turnsWith, type Choice, type Decision, type TurnLoss, type Verdict } from "../src/lib/review.svelte.ts";
import { isDecided, Telling, type Reviewed } from "../src/lib/review-told.ts";
import { loadWords } from "../src/lib/words.svelte.ts";

const say = (key: string, params: Message["params"] = {}): Message => ({ key, params });
const choice = (chance: number, more: Partial<Choice> = {}): Choice => ({ move: "Re5", chance, message: say("pinpoint.red"), marks: {}, rest: [], draws: false, ...more });

function decision(n: number, seat: number, best: number, played: number, verdict: Verdict, more: Partial<Choice> = {}): Decision {
  return { n, seat, open: null, line: [], message: null, danger: null, known: { chances: [best, 1 - best], played, error: 0, verdict, best: [choice(best, more)] } };
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
  expect(percentLost(decision(1, 1, 0.556, 0.444, "inaccurate").known)).toBe("12"); // from 56% to 44%, although 0.112 is nearer to 11%
});

test("before the end of the match is the last decision, and after it nothing", () => {
  expect([0, 1, 2, -1].map((at) => neighbour(at, -1, 3))).toEqual([-1, 0, 1, 2]);
  expect([0, 1, 2, -1].map((at) => neighbour(at, 1, 3))).toEqual([1, 2, -1, -1]);
});

test("where nothing is drawn, a position has one number: the mean of two looks, or what the surer one tells", () => {
  const chance = (before: number, after: number, then: Decision[]): number[] => steadied([decision(1, 1, before, after, "fine"), ...then]).map(({ known }) => Number(known.played.toFixed(3)));
  const other = (n: number, ofFirst: number, verdict: Verdict = "fine"): Decision => decision(n, 2, ofFirst, ofFirst, verdict); // the chance of seat 1
  expect(chance(0.7, 0.68, [other(2, 0.5)])).toEqual([0.59, 0.5]); // 0.68, and then 0.5
  expect(chance(0.7, 0.68, [other(2, 0.5, "blunder")])[0]).toBe(0.5);
  expect(chance(0.7, 0.68, [other(2, 1)])[0]).toBe(1);
  expect(chance(0.7, 0.68, [other(3, 0.5)])[0]).toBe(0.68); // something was drawn
  expect(chance(1, 1, [other(2, 0.5)])[0]).toBe(1);
  const [one] = steadied([decision(1, 1, 0.7, 0.68, "fine"), other(2, 0.5)]);
  expect(lossOf(one!.known)).toBeCloseTo(0.02);
  expect(one!.known.chances.map((side) => Number(side.toFixed(2)))).toEqual([0.61, 0.39]);
});

test("a decision that is judged last has its place in the match, and none is there twice", () => {
  const [first, second, third] = [1, 4, 6].map((n) => decision(n, 1, 0.5, 0.5, "fine")) as [Decision, Decision, Decision];
  expect(joined([first, third], [second, third])).toEqual([first, second, third]);
});

test("the mark of a turn stays when one of its decisions is judged longer, with another sum", () => {
  const turn: TurnLoss = { n: 5, seat: 1, first: 4, last: 7, loss: 0.24, verdict: "mistake" };
  expect(turnsWith([turn], 3, -0.2)).toEqual([turn]);
  expect(turnsWith([turn], 5, 0.01)[0]!.loss).toBeCloseTo(0.25);
  expect(turnsWith([turn], 7, -0.1)[0]!.verdict).toBe("inaccurate");
  expect(turnsWith([turn], 7, -0.2)).toEqual([]);
});

test("a flick is shown where it came to rest", () => {
  const entry = (n: number, by: number, unmoved = false): Entry => ({ n, by, move: "", message: say("kingbrick.said.still"), marks: unmoved ? { unmoved } : {} });
  const line = [entry(1, 1), entry(5, 2, true), entry(6, 0, true), entry(7, 0), entry(8, 1)];
  expect(line.map(({ n }) => restsAt(line, n))).toEqual([1, 7, 7, 7, 8]);
});

describe("a review that is worked out", () => {
  beforeEach(() => vi.useFakeTimers());

  test("is asked for once, however often the table changes", async () => {
    const answers = [
      { state: "working", of: 2, decisions: [decision(4, 1, 0.5, 0.5, "fine")] },
      { state: "done", of: 2, decisions: [decision(2, 1, 0.5, 0.5, "fine")] },
    ];
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (route: string) => {
      asked.push(route);
      const told = { done: 0, turns: [], accuracy: [], open: null, statistics: {}, ...answers.shift() };
      return { ok: true, json: async () => told };
    });
    const review = new Review("t");
    void review.start();
    void review.start();
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked.map((route) => route.slice(route.indexOf("?")))).toEqual(["?after=0", "?after=1"]);
    expect(review.decisions.map(({ n }) => n)).toEqual([2, 4]);
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
});

describe("in words", () => {
  beforeAll(async () => {
    vi.stubGlobal("document", { documentElement: {} });
    await loadWords("page", "pinpoint", "kingbrick");
  });

  const entry = (n: number, move: string): Entry => ({ n, by: 1, move, message: say("pinpoint.blue") });
  const told = (decisions: Decision[], more: Partial<Reviewed> = {}): Telling =>
    new Telling({ decisions, turns: [], isOpen: false, entry: (n) => entry(n, "Be5"), outcome: () => undefined, wins: () => false, nameOf: (seat) => "Seat" + seat, whoOf: ({ seat }) => "Seat" + seat, turnOf: () => 3, ...more });
  const read = JSON.parse(readFileSync(join(import.meta.dirname, "../src/words/en.json"), "utf-8")) as Record<string, string>;

  test("a better move is told with the rest of its turn", () => {
    const rest = ["green", "yellow"].map((colour) => ({ move: "", message: say("pinpoint." + colour) }));
    const one = decision(1, 1, 0.6, 0.3, "blunder", { rest });
    expect(told([one]).better(one)).toBe("red, then green, then yellow");
    expect(told([one]).sentence(one)).toContain("Better: red, then green, then yellow (+30%).");
  });

  test("a fine move that lost five percent or more names the better one", () => {
    const [four, five, twelve] = [0.56, 0.55, 0.48].map((played) => decision(1, 1, 0.6, played, "fine")) as [Decision, Decision, Decision];
    expect(told([four]).sentence(four)).toMatch(/Winning chance 56%\.$/);
    expect(told([five]).sentence(five)).toMatch(/Winning chance 55%\. A little better: red \(\+5%\)\.$/);
    expect(told([twelve]).sentence(twelve)).toMatch(/Perhaps better: red \(\+12%\)\.$/); // that may err, or it would not be fine
  });

  test("a move that lost little is nearly decided where hardly anything can change", () => {
    const chances: [best: number, played: number, verdict: Verdict][] = [[0.09, 0.08, "fine"], [0.1, 0.1, "fine"], [0.95, 0.91, "fine"], [0.95, 0.85, "fine"], [0.95, 0.5, "blunder"]];
    const headings = chances.map(([best, played, verdict]) => decision(1, 1, best, played, verdict)).map((one) => told([one]).heading(one));
    const [decided, fine] = [read["review.verdict.decided"], read["review.verdict.fine"]];
    expect(headings).toEqual([decided, fine, decided, fine, read["review.verdict.blunder"]]);
    expect(isDecided(decision(1, 1, 0.95, 0.95, "forced").known)).toBe(false);
  });

  test("the move that wins the match says so, also if it was the only one", () => {
    const verdicts: Verdict[] = ["fine", "forced", "blunder"];
    const headings = verdicts.map((verdict) => decision(1, 1, 1, 1, verdict)).map((one) => told([one], { wins: () => true }).heading(one));
    expect(headings).toEqual([read["review.verdict.wins"], read["review.verdict.wins"], read["review.verdict.blunder"]]);
  });

  test("a flick at the same brick is the same idea", () => {
    const flick = say("kingbrick.said.flick_at", { brick: "r2", target: "b2", strength: "hard" });
    const one = { ...decision(1, 1, 0.6, 0.3, "blunder", { message: flick }), message: flick };
    expect(told([one]).better(one)).toBe(read["review.same"]);
    const softer = { ...one, message: say("kingbrick.said.flick_at", { brick: "r2", target: "b2", strength: "soft" }) };
    expect(told([softer]).better(softer)).not.toBe(read["review.same"]);
  });

  test("what came of a flick is told beside what it was worth", () => {
    const one = decision(1, 1, 0.6, 0.58, "fine");
    const outcome = (): Entry => ({ ...entry(3, "rest"), message: say("kingbrick.said.still") });
    expect(told([one], { outcome }).sentence(one)).toMatch(/Winning chance 58%\. This came of it: everything stands\.$/);
    expect(told([one], { outcome: ({ n }) => entry(n, "Be5") }).sentence(one)).toMatch(/Winning chance 58%\.$/);
  });

  test("an answer is the first real move of the next player", () => {
    const bad = decision(1, 1, 0.6, 0.3, "blunder");
    const draw = decision(2, 2, 0.7, 0.7, "fine", { move: "draw", draws: true });
    const real = decision(4, 2, 0.7, 0.7, "fine");
    const drew = { entry: (n: number) => entry(n, n === 2 ? "draw" : "Be5") };
    expect(told([bad, real]).answer(bad)).toBe("Seat2 could answer: red.");
    expect(told([bad, draw, real], drew).answer(bad)).toBe("Seat2 could answer: red.");
    expect(told([bad, draw, real]).answer(bad)).toBe(""); // seat 2 did not draw
    expect(told([bad, draw], drew).answer(bad)).toBe("");
    expect(told([bad, decision(2, 2, 0.7, 0.7, "forced"), real]).answer(bad)).toBe("Seat2 could answer: red.");
    expect(told([bad, decision(2, 1, 0.7, 0.7, "fine"), real]).answer(bad)).toBe("");
  });

  test("an answer that wins in many hands is told instead, unless all cards are open", () => {
    const bad = { ...decision(1, 1, 0.6, 0.3, "blunder"), danger: { seat: 2, message: say("pinpoint.green"), share: 0.27 } };
    const real = decision(4, 2, 0.7, 0.7, "fine");
    expect(told([bad, real]).answer(bad)).toBe("Danger: green. 27% of the hands that Seat2 could hold allow it.");
    expect(told([bad, real], { isOpen: true }).answer(bad)).not.toContain("Danger");
  });

  test("with all cards open every word follows that judgement", () => {
    const open = decision(1, 1, 0.9, 0.2, "blunder").known;
    const one = { ...decision(1, 1, 0.5, 0.5, "fine"), open };
    expect(told([one]).verdict(one)).toBe("fine");
    expect(told([one], { isOpen: true }).verdict(one)).toBe("blunder");
    expect(told([one], { isOpen: true }).sentence(one)).toContain("from 90% to 20%");
  });
});
