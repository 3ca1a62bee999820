// The example game fulfils the contract of a game's folder, and its board draws a view.
import { render } from "svelte/server";
import { beforeAll, expect, test, vi } from "vitest";
import type { GameFolder, GameTable, PlayProps } from "../src/games/contract";

let folder: GameFolder;
let table: GameTable;

beforeAll(async () => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  folder = (await import("../src/examples/connectfour/index")).default;
  table = await folder.table();
});

const view = { board: "1.2".padEnd(42, "."), turn: 1, line: [] as string[] };

const props: PlayProps = {
  view,
  legal: { columns: ["a", "b"] },
  seat: 1,
  eye: 1,
  lit: null,
  recent: [],
  pending: null,
  hint: "b",
  still: false,
  nameOf: String,
  move: () => undefined,
  explain: () => undefined,
  idle: () => undefined,
  acts: () => undefined,
};

test("the board has 42 cells, the discs of the view and the one that is suggested", () => {
  const { body } = render(table.Play, { props });
  expect(body.match(/role="gridcell"/g)).toHaveLength(42);
  expect(body.match(/<svg/g)).toHaveLength(3);
  expect(body.match(/tabindex="0"/g)).toHaveLength(1);
});

test("the table asks the one on the move, and says why a match ended", () => {
  expect(table.asks(view)).toEqual({ key: "connectfour.asks" });
  expect(table.asks({ ...view, turn: null })).toBeNull();
  expect(table.ended?.(view, { winners: [], scores: [0, 0], reason: "complete" })).toEqual({ key: "connectfour.board_full" });
  expect(table.ended?.(view, { winners: [1], scores: [1, 0], reason: "complete" })).toBeNull();
  expect(folder.settings({ players: 2 })).toEqual([]);
});

test("the picture on the box and the rules are drawn", () => {
  expect(render(folder.Art).body).toContain("<svg");
  expect(render(table.Rules).body).toContain("lead");
});
