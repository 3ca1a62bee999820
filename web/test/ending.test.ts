// The final scores: a row for each player or team.
import { expect, test } from "vitest";
import { eliminated } from "../src/games/aftaebr/glimpses.ts";
import { rowsOf } from "../src/lib/ending.ts";
import type { Entry } from "../src/lib/protocol.ts";

test("players are ranked by their points", () => {
  expect(rowsOf([1, 2, 3], [5, 9, 7], () => null).map(({ seats, score }) => [seats, score])).toEqual([[[2], 9], [[3], 7], [[1], 5]]);
});

test("partners share a row with the points of their team, once", () => {
  const rows = rowsOf([1, 2, 3, 4], [80, 101, 80, 101], (seat) => ((seat - 1) % 2) + 1);
  expect(rows).toEqual([{ team: 2, score: 101, seats: [2, 4] }, { team: 1, score: 80, seats: [1, 3] }]);
});

test("AFTAEBR tells in what order players left", () => {
  const entry = (n: number, by: number, move: string, out: number[] = []): Entry => ({ n, by, move, marks: { out }, message: { key: "aftaebr.said.put" } });
  const line = [entry(1, 1, "G1a1"), entry(2, 3, "O1a2", [3]), entry(3, 2, "resign"), entry(4, 1, "G2a3", [1])];
  expect(eliminated(line)).toEqual([{ seat: 3, why: "out_of_pieces" }, { seat: 2, why: "resigned" }, { seat: 1, why: "out_of_pieces" }]);
});
