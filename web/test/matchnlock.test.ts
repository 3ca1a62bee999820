// The board seen from its four sides: holes, circles, coordinates and wedges turn together.
import { expect, test } from "vitest";
import { boardOf } from "../src/games/matchnlock/boards.ts";
import { along, centreOf, HOLES, holeAt, nameBeside, nameUnder, pointOf, readMove, readToken, seen, SIZE, turned, swapped } from "../src/games/matchnlock/geometry.ts";

const SIDES = [0, 1, 2, 3];

test("the near left corner is a1, a8, h8, h1 from south, west, north and east", () => {
  expect(SIDES.map((side) => holeAt(0, SIZE - 1, side))).toEqual(["a1", "a8", "h8", "h1"]);
});

test.each(SIDES)("from side %i every hole is drawn where it is found", (side) => {
  for (const hole of HOLES) {
    const { x, y } = pointOf(hole, side);
    const [column, row] = [0, 1, 2, 3, 4, 5, 6, 7].map(along).reduce<[number, number]>((at, place, k) => [place === x ? k : at[0], place === y ? k : at[1]], [-1, -1]);
    expect(holeAt(column, row, side)).toBe(hole);
  }
});

test.each(SIDES)("from side %i a circle lies between its four holes", (side) => {
  const around = ["c4", "d4", "c5", "d5"].map((hole) => pointOf(hole, side));
  const middle = (of: "x" | "y"): number => around.reduce((sum, point) => sum + point[of], 0) / 4;
  expect(centreOf("c4", side)).toEqual({ x: middle("x"), y: middle("y") });
});

test("letters stand under the board from south and north, numbers from west and east", () => {
  expect(SIDES.map((side) => nameUnder(0, side) + nameBeside(0, side))).toEqual(["a8", "8h", "h1", "1a"]);
});

test("a token that was placed upright from a side reads as printed there", () => {
  for (const side of SIDES) expect(seen(turned("BGYR", side), side)).toBe("BGYR");
  expect(turned("BGYR", 1)).toBe("RBGY");
  expect(turned("BGYR", -1)).toBe("GYRB");
});

test("moves and tokens are read", () => {
  expect(readMove("c4")).toEqual({ hole: "c4", quarters: 0 });
  expect(readMove("c4+")).toEqual({ hole: "c4", quarters: 1 });
  expect(readMove("c4-")).toEqual({ hole: "c4", quarters: -1 });
  expect([readMove("draw"), readMove("c4!"), readMove(null)]).toEqual([null, null, null]);
  expect(readToken("t17:B*G*/5")).toEqual({ wedges: "B*G*", value: 5 });
  expect(boardOf("c4!:BGYR/20")).toEqual({ c4: { wedges: "BGYR", value: 20, locked: true } });
});

test("a seat that takes another's colour gives its own in exchange", () => {
  expect(swapped(["B", "G", "Y"], 0, "Y")).toEqual(["Y", "G", "B"]);
  expect(swapped(["B", "G"], 1, "R")).toEqual(["B", "R"]);
  expect(swapped(["B"], 0, "B")).toEqual(["B"]);
});
