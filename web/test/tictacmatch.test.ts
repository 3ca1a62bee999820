// The cards of Tic-Tac Match: how a move is read, where the arrow keys lead, and how a hand is held.
import { expect, test } from "vitest";
import type { Entry } from "../src/lib/protocol.ts";
import { counted, isSymbol, readMove, rearranged, SPACES, stackAt, topDiscard, type Marks, type View } from "../src/games/tictacmatch/cards.ts";

test("a move names its card, and its space if it has one", () => {
  expect(readMove("XR a1")).toEqual({ card: "XR", space: "a1" });
  expect(readMove("F")).toEqual({ card: "F", space: null });
  expect([readMove("target 2"), readMove("resign")]).toEqual([null, null]);
  expect(["XR", "OG", "F", "W", "D"].map(isSymbol)).toEqual([true, true, false, false, false]);
});

test("the stack of a space is found by its name", () => {
  const view = { grid: SPACES.map((space) => (space === "b2" ? ["XR", "OR"] : [])) } as unknown as View;
  expect([stackAt(view, "b2"), stackAt(view, "a1")]).toEqual([["XR", "OR"], []]);
});

test("cards that stay keep their place in the hand, and what was drawn comes last", () => {
  let last = 0;
  const nextId = (): number => ++last;
  const dealt = rearranged([], ["XR", "XR", "OB", "F"], nextId);
  expect(dealt.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  const played = rearranged(dealt, ["XR", "OB", "F"], nextId);
  expect(played.map(({ card }) => card)).toEqual(["XR", "OB", "F"]);
  const drawn = rearranged(played, ["OB", "F", "OG", "XR"], nextId);
  expect(drawn).toEqual([...played, { id: 5, card: "OG" }]);
});

test("equal cards are counted together", () => {
  expect(counted(["XR", "XR", "W"])).toEqual([
    { card: "XR", count: 2 },
    { card: "W", count: 1 },
  ]);
});

test("the card on top of the discards follows from the log alone", () => {
  const past = ([{ card: "F" }, { card: "W" }, { laid_down: { seat: 2, cards: ["XR", "OB"] } }, { card: "D" }, { card: "OG", space: "a1" }] satisfies Marks[]).map((marks, k) => ({ n: k + 1, by: 1, marks }) as unknown as Entry);
  const discards = ["XR", "OB", "D", "F", "W"]; // in the order of the view, which says nothing
  expect([1, 2, 3, 4, 5].map((n) => topDiscard(discards, past.slice(0, n)))).toEqual(["F", "W", "OB", "D", "D"]);
  expect(topDiscard(discards, [])).toBe("W");
  const shuffled = { n: 6, by: 0, marks: { shuffled: 20 } } as unknown as Entry;
  expect([topDiscard([], [...past, shuffled]), topDiscard(["F"], [...past, shuffled])]).toEqual([null, "F"]);
});
