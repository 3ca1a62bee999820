// A log as lines: one for each turn, with the draws of chance, and without entries that were taken back.
import { expect, test } from "vitest";
import { startsTurn } from "../src/games/matchnlock/glimpses.ts";
import type { Entry } from "../src/lib/protocol.ts";
import { standing } from "../src/lib/story.ts";
import { latestTurns, turnsOf, type StartsTurn } from "../src/lib/turns.ts";

type Short = [by: number, move: string, key?: string, seat?: number];

const log = (...entries: Short[]): Entry[] => entries.map(([by, move, key = "game.said", seat], k) => ({ n: k + 1, by, move, message: { key, ...(seat && { params: { seat } }) } }));
const turns = (entries: Entry[], starts?: StartsTurn) => turnsOf(entries, standing(entries), starts);
const shape = (entries: Entry[], starts?: StartsTurn) => turns(entries, starts).map(({ seat, entries, number }) => [number, seat, entries.map(({ move }) => move).join(" ")]);

test("what a seat does in a row is one turn, and what chance adds belongs to it", () => {
  const entries = log([0, "start"], [0, "setup"], [1, "a"], [1, "b"], [0, "draw"], [2, "c"], [0, "draw"]);
  expect(shape(entries)).toEqual([[null, null, "start"], [null, null, "setup"], [1, 1, "a b draw"], [2, 2, "c draw"]]);
});

test("a game may open a new turn for the same seat", () => {
  const entries = log([1, "draw"], [0, "t1"], [1, "a1"], [1, "draw"], [0, "t2"], [1, "b1"], [1, "a1+"]);
  expect(shape(entries, startsTurn)).toEqual([[1, 1, "draw t1 a1"], [2, 1, "draw t2 b1"], [3, 1, "a1+"]]);
});

test("a draw with the mark begins_turn opens the turn of the next seat", () => {
  const entries = log([0, "start"], [0, "roll 3"], [1, "a"], [0, "roll 6"], [2, "b"], [2, "c"], [0, "roll 1"]).map((entry) => (entry.move.startsWith("roll") ? { ...entry, marks: { begins_turn: true } } : entry));
  expect(shape(entries)).toEqual([[null, null, "start"], [1, 1, "roll 3 a"], [2, 2, "roll 6 b c"], [null, null, "roll 1"]]);
});

test("a set-up comes before the first turn", () => {
  const entries = log([1, "army"], [1, "ready"], [2, "army"], [2, "ready"], [1, "flick"], [2, "flick"]).map((entry) => (entry.n <= 4 ? { ...entry, marks: { set_up: true } } : entry));
  expect(shape(entries)).toEqual([[null, 1, "army ready"], [null, 2, "army ready"], [1, 1, "flick"], [2, 2, "flick"]]);
});

test("time that ran out is a line of the one who was late, with the pins that fell", () => {
  const entries = log([1, "a"], [0, "timeout 2", "core.said.timeout", 2], [0, "late"], [1, "b"]);
  expect(shape(entries)).toEqual([[1, 1, "a"], [null, 2, "timeout 2 late"], [2, 1, "b"]]);
});

test("what was taken back is a line apart, without a number", () => {
  const entries = log([1, "a"], [1, "b"], [0, "takeback 1", "core.said.takeback"], [1, "c"], [2, "d"]);
  expect(turns(entries).map(({ stands, number }) => [stands, number])).toEqual([[true, 1], [false, null], [true, null], [true, 2], [true, 3]]);
});

test("quiet entries are not told", () => {
  const entries = log([1, "a"], [1, "b"], [2, "c"]).map((entry) => (entry.n === 2 ? { ...entry, marks: { quiet: true } } : entry));
  expect(shape(entries)).toEqual([[1, 1, "a"], [2, 2, "c"]]);
});

test("the board marks the turn that runs and the one before it by somebody else", () => {
  const marked = (entries: Entry[]) => latestTurns(turns(entries, (entry) => entry.move === "new")).map(({ entries }) => entries.map(({ move }) => move).join(" "));
  expect(marked(log([0, "start"]))).toEqual([]);
  expect(marked(log([1, "a"], [2, "b"], [2, "c"], [1, "d"]))).toEqual(["b c", "d"]);
  expect(marked(log([1, "a"], [2, "b"], [2, "new"]))).toEqual(["new"]);
  expect(marked(log([1, "a"], [2, "b"], [2, "offer draw", "core.said.offer"]))).toEqual(["a", "b"]);
  expect(marked(log([1, "a"], [0, "timeout 2", "core.said.timeout", 2], [0, "late"]))).toEqual(["a", "timeout 2 late"]);
});
