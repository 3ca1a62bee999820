// The chat of a table.
import { expect, test, vi } from "vitest";
import type { Said } from "../src/lib/protocol.ts";
import { Talk } from "../src/lib/talk.svelte.ts";

const said = (n: number, seat: number, text = "hm"): Said => ({ n, seat, name: "Heron", text, at: 0 });

test("what others say is unread until somebody reads along", () => {
  const talk = new Talk("k3j9x2aa");
  talk.hear(said(1, 2), false);
  talk.hear(said(2, 1), true);
  expect(talk.unread).toBe(1);
  talk.read();
  talk.hear(said(3, 2), false);
  expect(talk.unread).toBe(0);
});

test("a seat that is muted is not heard, before and after", () => {
  const talk = new Talk("k3j9x2aa");
  talk.hear(said(1, 2), false);
  talk.mute(2);
  expect(talk.hear(said(2, 2), false)).toBe(false);
  expect(talk.hear(said(3, 3), false)).toBe(true);
  expect(talk.heard.map(({ n }) => n)).toEqual([3]);
  expect(Object.keys(talk.fresh)).toEqual(["3"]);
  talk.mute(2);
  expect(talk.heard.map(({ n }) => n)).toEqual([1, 2, 3]);
});

test("who is muted stays so in the rematch, one seat further", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  const talk = new Talk("k3j9x2aa");
  talk.mute(2);
  talk.mute(3);
  talk.followTo("m4p7y8bb", 3);
  const next = new Talk("m4p7y8bb");
  expect(next.muted).toEqual([3, 1]);
  next.mute(1);
  talk.followTo("m4p7y8bb", 3); // the same news once more
  expect(new Talk("m4p7y8bb").muted).toEqual([3]);
  vi.unstubAllGlobals();
});

test("what was missed is filled in, and nothing twice", () => {
  const talk = new Talk("k3j9x2aa");
  talk.recall([said(1, 2), said(2, 1)]);
  talk.hear(said(3, 2), false);
  talk.recall([said(2, 1), said(3, 2), said(4, 2)]);
  expect(talk.all.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
});
