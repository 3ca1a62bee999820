// The keys of a board.
import { expect, test, vi } from "vitest";
import { cellAfter, cellNamed, isSteered, nameOf, steer } from "../src/lib/grid-keys.ts";

const after = (key: string, name: string, size = 6): string | null => {
  const cell = cellAfter(key, cellNamed(name, size), size);
  return cell && nameOf(cell, size);
};

test("a name and its cell", () => {
  expect(cellNamed("a1", 10)).toEqual({ column: 0, row: 9 });
  expect(cellNamed("j10", 10)).toEqual({ column: 9, row: 0 });
  expect(nameOf(cellNamed("e5", 10), 10)).toBe("e5");
});

test.each([
  ["ArrowLeft", "b3"],
  ["ArrowRight", "d3"],
  ["ArrowUp", "c4"],
  ["ArrowDown", "c2"],
  ["Home", "a3"],
  ["End", "f3"],
  ["PageUp", "c6"],
  ["PageDown", "c1"],
])("%s leads from c3 to %s", (key, there) => {
  expect(after(key, "c3")).toBe(there);
});

test("a grid may be wider than it is high", () => {
  const size = { columns: 7, rows: 6 };
  expect(cellNamed("g6", size)).toEqual({ column: 6, row: 0 });
  expect(nameOf(cellAfter("End", cellNamed("d1", size), size)!, size)).toBe("g1");
  expect(nameOf(cellAfter("PageUp", cellNamed("d1", size), size)!, size)).toBe("d6");
});

test("nothing leads over the edge, and other keys lead nowhere", () => {
  expect(after("ArrowUp", "c6")).toBe("c6");
  expect(after("ArrowLeft", "a1")).toBe("a1");
  expect(after("x", "c3")).toBeNull();
});

test("a key that is the grid's is taken, one with Ctrl is the browser's", () => {
  const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false, altKey: false, preventDefault: vi.fn() }) as unknown as KeyboardEvent;
  const go = vi.fn();
  const choose = vi.fn();
  const at = { column: 0, row: 0 };
  expect(steer(press("ArrowRight"), at, 3, go, choose)).toBe(true);
  expect(go).toHaveBeenCalledWith({ column: 1, row: 0 });
  expect(steer(press("ArrowLeft"), at, 3, go, choose)).toBe(true); // the edge: the page must not scroll
  expect(go).toHaveBeenCalledTimes(1);
  expect(steer(press(" "), at, 3, go, choose)).toBe(true);
  expect(choose).toHaveBeenCalledTimes(1);
  expect(steer(press("ArrowRight", true), at, 3, go, choose)).toBe(false);
  expect(steer(press("q"), at, 3, go, choose)).toBe(false);
});

test("a cell is steered to by keys, not by a dialog that closes", () => {
  const focus = (from: object | null, isVisible: boolean): FocusEvent => ({ relatedTarget: from, target: { matches: () => isVisible } }) as unknown as FocusEvent;
  expect(isSteered(focus({}, true))).toBe(true);
  expect(isSteered(focus({}, false))).toBe(false);
  expect(isSteered(focus(null, true))).toBe(false);
});
