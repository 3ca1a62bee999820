// New entries are shown one at a time, in order, and never twice.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Entry, Position } from "../src/lib/protocol.ts";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("document", { visibilityState: "visible" });
const { EntryQueue } = await import("../src/lib/entry-queue.svelte.ts");

const entry = (n: number, by = 2, marks = {}): Entry => ({ n, by, move: `m${n}`, marks, message: { key: "core.over" } });
const after = (n: number): Position => ({ view: n }) as unknown as Position;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue at a table where seat 1 is ours, and what it showed: the entry and the view that came with it. */
function queueOf(timeToShow = () => Infinity) {
  const shown: [number, unknown][] = [];
  const asked: number[] = [];
  const queue = new EntryQueue({
    isOwn: ({ by }) => by === 1,
    timeToShow,
    viewAfter: async (n) => (asked.push(n), `look ${n}`),
    isEvent: ({ marks }) => marks?.event === true,
    show: (step, view) => void shown.push([step.entry.n, step.position ? step.position.view : view]),
  });
  return { queue, shown, asked };
}

test("entries of others come one after the other, with the boards between fetched", async () => {
  const { queue, shown, asked } = queueOf();
  await vi.advanceTimersByTimeAsync(5000);
  queue.add([entry(1), entry(2), entry(3)], after(3));
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toEqual([[1, "look 1"]]);
  expect(queue.isEmpty).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(shown).toEqual([[1, "look 1"], [2, "look 2"], [3, 3]]);
  expect(asked).toEqual([1, 2]);
  expect(queue.isEmpty).toBe(true);
});

test("an entry of our own is shown without a pause, and one that moves nothing needs no board", async () => {
  const { queue, shown, asked } = queueOf();
  queue.add([entry(1, 1, { unmoved: true }), entry(2, 1)], after(2));
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toEqual([[1, null], [2, 2]]);
  expect(asked).toEqual([]);
});

test("after an event with a banner the next entry waits, also one of our own", async () => {
  const { queue, shown } = queueOf();
  await vi.advanceTimersByTimeAsync(5000);
  queue.add([entry(1, 2, { event: true }), entry(2, 1)], after(2));
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown).toHaveLength(2);
});

test("when the time of somebody here starts, the rest is shown at once", async () => {
  const { queue, shown } = queueOf(() => Math.max(0, 6000 - performance.now()));
  await vi.advanceTimersByTimeAsync(5000 - performance.now());
  queue.add([1, 2, 3, 4, 5, 6].map((n) => entry(n)), after(6));
  await vi.advanceTimersByTimeAsync(900);
  expect(shown).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(110);
  expect(shown.at(-1)).toEqual([6, 6]);
});

test("a jump to the present takes what waits and shows none of it", async () => {
  const { queue, shown } = queueOf();
  await vi.advanceTimersByTimeAsync(5000);
  queue.add([entry(1), entry(2), entry(3)], after(3));
  await vi.advanceTimersByTimeAsync(1);
  expect(queue.flush().map(({ n }) => n)).toEqual([2, 3]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown).toHaveLength(1);
  queue.add([entry(4)], after(4));
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown.at(-1)).toEqual([4, 4]);
});

test("an entry that is read anew while it is acted out is acted out once", async () => {
  const { queue, shown } = queueOf();
  let acts = 0;
  queue.act = () => (acts++, new Promise((done) => setTimeout(done, 300)));
  queue.add([entry(1)], after(1));
  queue.reread((old) => ({ ...old, move: "read anew" }));
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown).toEqual([[1, 1]]);
  expect(acts).toBe(1);
});
