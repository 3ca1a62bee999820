// A replay: where it stops, and that it skips stops but never gets lost when requests come fast.
import { expect, test, vi } from "vitest";
import type { Entry } from "../src/lib/protocol.ts";
import { Replay } from "../src/lib/replay.svelte.ts";

/** A replay whose server answers when it is told to. */
function slowReplay(line: number[], turns: number[][] = []) {
  const answers: (() => void)[] = [];
  const asked: number[] = [];
  const replay = new Replay({
    entries: line.map((n) => ({ n }) as Entry),
    line: line.map((n) => ({ n }) as Entry),
    turns: turns.map((entries) => ({ seat: 1, stands: true, number: 1, entries: entries.map((n) => ({ n }) as Entry) })),
    viewAfter: (entry) => {
      asked.push(entry);
      return new Promise((done) => answers.push(() => done({ after: entry })));
    },
  });
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await new Promise((go) => setTimeout(go));
  };
  return { asked, answer, replay };
}

test("it stops before the first entry and at those that stand", () => {
  expect(slowReplay([1, 2, 5]).replay.stops).toEqual([0, 1, 2, 5]);
});

test("a slider that is dragged asks for the last place only", async () => {
  const { replay, asked, answer } = slowReplay([1, 2, 3, 4, 5, 6]);
  for (const place of [1, 2, 3, 4]) void replay.to(place);
  await answer();
  await answer();
  expect(asked).toEqual([1, 4]);
  expect(replay.looking).toEqual({ entry: 4, view: { after: 4 } });
});

test("a position that is lost with the connection is asked for again, unless another one is wanted", async () => {
  vi.useFakeTimers();
  const answers: unknown[] = [null, null, "view"];
  const asked: number[] = [];
  const viewAfter = (entry: number): Promise<unknown> => Promise.resolve((asked.push(entry), answers.shift() ?? null));
  const replay = new Replay({ entries: [], line: [], turns: [], viewAfter });
  void replay.lookAt(6);
  await vi.runAllTimersAsync();
  expect(asked).toEqual([6, 6, 6]);
  expect(replay.looking).toEqual({ entry: 6, view: "view" });
  void replay.lookAt(7);
  replay.backToNow();
  await vi.runAllTimersAsync();
  expect(asked).toEqual([6, 6, 6, 7]);
  vi.useRealTimers();
});

test("a link to an entry stops the playback, and one past the end leads to the last entry", async () => {
  const { replay, asked, answer } = slowReplay([1, 2, 3, 4]);
  replay.playing = true;
  void replay.goTo(2);
  await answer();
  expect([replay.playing, replay.looking?.entry]).toEqual([false, 2]);
  void replay.goTo(99);
  await answer();
  expect(asked).toEqual([2, 4]);
});

test("two quick steps are two steps", async () => {
  const { replay, asked, answer } = slowReplay([1, 2, 3, 4]);
  void replay.to(0);
  await answer();
  void replay.step(1);
  void replay.step(1);
  await answer();
  await answer();
  expect(asked).toEqual([0, 1, 2]);
});

test("the last stop is the present", async () => {
  const { replay, answer } = slowReplay([1, 2, 3]);
  void replay.to(1);
  await answer();
  expect(replay.looking).toEqual({ entry: 1, view: { after: 1 } });
  await replay.to(99);
  expect(replay.looking).toBeNull();
});

test("it steps by whole turns, to their ends", async () => {
  const { replay, answer } = slowReplay([1, 2, 3, 4, 5, 6, 7], [[1, 2], [3, 4, 5], [6]]);
  const reached: (number | null)[] = [];
  const go = async (by: 1 | -1): Promise<void> => {
    void replay.stepTurn(by);
    await answer();
    reached.push(replay.looking?.entry ?? null);
  };
  void replay.to(0);
  await answer();
  for (const by of [1, 1, 1, 1, -1, -1] as const) await go(by);
  expect(reached).toEqual([2, 5, 6, null, 6, 5]);
});
