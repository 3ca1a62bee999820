// The drawing of the board: holes where the notation says, figures as one shape.
import { expect, test } from "vitest";
import { away, colourOfMove, HOLES, outline, worthOf, xOf, yOf } from "../src/games/pinpoint/geometry.ts";

test("a1 is the near left corner", () => {
  expect(HOLES[0]).toBe("a1");
  expect(HOLES[99]).toBe("j10");
  expect(xOf("a1")).toBeLessThan(xOf("j1"));
  expect(yOf("a1")).toBeGreaterThan(yOf("a10"));
});

test("the letter at the place of an empty hole says what a pin would score there", () => {
  const legal = { pins: [], holes: ["a1", "c4", "j10"], joker: false, figures: { R: ".bc" }, worth: { b: ["line", 2], c: ["line", 3] } };
  expect(worthOf(legal as never, "R", "c4")).toEqual({ figure: "line", points: 2 });
  expect(worthOf(legal as never, "R", "j10")).toEqual({ figure: "line", points: 3 });
  expect(worthOf(legal as never, "R", "a1")).toEqual({ figure: "single", points: 1 });
});

test("there is nothing beyond the edge", () => {
  expect(away("a1", -1, 0)).toBeNull();
  expect(away("j10", 0, 1)).toBeNull();
  expect(away("e5", 1, -1)).toBe("f4");
});

test("a joker counts as the colour it was announced as", () => {
  expect(colourOfMove("R=Ge5")).toBe("G");
  expect(colourOfMove("Re5")).toBe("R");
});

test("a cross is joined along row and column, a square also across, a diagonal askew", () => {
  const joints = (holes: string) => outline(holes.split(" ")).match(/L/g)?.length ?? 0;
  expect(joints("e5 e6 e4 d5 f5")).toBe(4);
  expect(joints("e5 f5 e6 f6")).toBe(6);
  expect(joints("a1 b2 c3")).toBe(2);
  expect(joints("a1")).toBe(0);
});
