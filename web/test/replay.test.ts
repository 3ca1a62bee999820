// Through a match: where a replay stops, and that haste makes it skip but never lose its way.
import { expect, test } from "vitest";
import type { Entry } from "../src/lib/protocol.ts";
import { Replay } from "../src/lib/replay.svelte.ts";
import type { Table } from "../src/lib/table.svelte.ts";

/** A table that answers when it is told to. */
function slowTable(line: number[]) {
  const answers: (() => void)[] = [];
  const asked: number[] = [];
  const table = {
    line: line.map((n) => ({ n }) as Entry),
    looking: null as { entry: number } | null,
    backToNow: () => void (table.looking = null),
    lookAt: (entry: number) => {
      asked.push(entry);
      return new Promise<void>((done) => answers.push(() => ((table.looking = { entry }), done())));
    },
  };
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await new Promise((go) => setTimeout(go));
  };
  return { table, asked, answer, replay: new Replay(table as unknown as Table) };
}

test("it stops before the first entry and at those that stand", () => {
  expect(slowTable([1, 2, 5]).replay.stops).toEqual([0, 1, 2, 5]);
});

test("a slider that is dragged asks for the last place only", async () => {
  const { replay, asked, answer, table } = slowTable([1, 2, 3, 4, 5, 6]);
  for (const place of [1, 2, 3, 4]) void replay.to(place);
  await answer();
  await answer();
  expect(asked).toEqual([1, 4]);
  expect(table.looking).toEqual({ entry: 4 });
});

test("two quick steps are two steps", async () => {
  const { replay, asked, answer } = slowTable([1, 2, 3, 4]);
  void replay.to(0);
  await answer();
  void replay.step(1);
  void replay.step(1);
  await answer();
  await answer();
  expect(asked).toEqual([0, 1, 2]);
});

test("the last stop is the present", async () => {
  const { replay, answer, table } = slowTable([1, 2, 3]);
  void replay.to(1);
  await answer();
  expect(table.looking).toEqual({ entry: 1 });
  await replay.to(99);
  expect(table.looking).toBeNull();
});
