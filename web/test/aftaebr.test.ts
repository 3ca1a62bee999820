// The drawing of AFTAEBR's board: squares where the notation says, stacks that stay in their place.
import { expect, test } from "vitest";
import { boardOf, topsOf } from "../src/games/aftaebr/boards.ts";
import { away, byNumber, FAR_FIRST, linesThrough, SQUARES, squareOfMove, STEP, thickness, topOf, xOf, yOf } from "../src/games/aftaebr/geometry.ts";

test("a1 is the near left corner, and the far row is drawn first", () => {
  expect([SQUARES[0], SQUARES[35]]).toEqual(["a1", "f6"]);
  expect(xOf("a1")).toBeLessThan(xOf("f1"));
  expect(yOf("a1")).toBeGreaterThan(yOf("a6"));
  expect([FAR_FIRST[0], FAR_FIRST[35]]).toEqual(["a6", "f1"]);
  expect([away("a1", -1, 0), away("f6", 0, 1), away("c3", 1, -1)]).toEqual([null, null, "d2"]);
});

test("a stack never sinks, and never reaches the piece behind it", () => {
  for (let height = 1; height < 40; height += 1) {
    expect(topOf(height + 1)).toBeLessThan(topOf(height) + 0.01);
    expect(thickness(height) * height).toBeLessThan(STEP - 40);
  }
});

test("what was taken is joined along its sequences only", () => {
  const row = { a3: "G1", b3: "F2", c3: "O3", d3: "G4" };
  expect(linesThrough(row).match(/L/g)).toHaveLength(3);
  expect(linesThrough({ ...row, c4: "B1" }).match(/L/g)).toHaveLength(3);
  expect(linesThrough({ a1: "G1", c1: "G2" })).toBe("");
});

test("a put names its square, other moves none", () => {
  expect(squareOfMove("G3c4")).toBe("c4");
  expect([squareOfMove("pass"), squareOfMove("colour G")]).toEqual([null, null]);
});

test("a stock is counted by number, colours together", () => {
  expect(byNumber({ G: [8, 7, 0, 1], O: [0, 1, 0, 2] })).toEqual([8, 8, 0, 3]);
});

test("boards for pictures name their stacks from the bottom", () => {
  const board = boardOf("a1:G1O2 b1:F3");
  expect(board).toEqual({ a1: ["G1", "O2"], b1: ["F3"] });
  expect(topsOf(board, "a1 b1")).toEqual({ a1: "O2", b1: "F3" });
});
