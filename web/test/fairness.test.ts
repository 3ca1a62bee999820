// The page's own check of a seal, against a record that `ludoteca simulate` wrote.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check } from "../src/lib/fairness.ts";
import type { MatchRecord } from "../src/lib/protocol.ts";

const text = readFileSync(join(import.meta.dirname, "sealed.json"), "utf-8");
const sealed = (): MatchRecord & { seal: { seed: string } } => JSON.parse(text);
const drawn = sealed().log.flatMap(({ picks }) => picks ?? []);
const other = (hex: string): string => (hex[0] === "0" ? "1" : "0") + hex.slice(1);

test("a record as it was written is fair, down to every draw", async () => {
  expect(drawn.length).toBeGreaterThan(10);
  expect(await check(sealed())).toEqual({ verdict: "fair", draws: drawn.length });
});

test("another seed than the sealed one is found out", async () => {
  const record = sealed();
  record.seal.seed = other(record.seal.seed);
  expect(await check(record)).toEqual({ verdict: "seed" });
});

test.each(drawn.map((_, k) => k))("a changed ticket is found out: draw %i", async (k) => {
  const record = sealed();
  const picks = record.log.flatMap((entry) => entry.picks ?? []);
  const [ticket, total] = picks[k]!;
  picks[k]![0] = (ticket + 1) % total;
  const entry = record.log.findIndex((candidate) => candidate.picks?.includes(picks[k]!)) + 1;
  expect(await check(record)).toEqual(total > 1 ? { verdict: "draw", entry } : { verdict: "fair", draws: drawn.length });
});

test("a draw that was left out is found out", async () => {
  const record = sealed();
  const k = record.log.findIndex(({ picks }) => (picks?.length ?? 0) > 1);
  record.log[k]!.picks!.shift();
  expect(await check(record)).toEqual({ verdict: "draw", entry: k + 1 });
});

test("another seat's bytes are found out", async () => {
  const record = sealed();
  record.seal.bytes[1] = other(record.seal.bytes[1]!);
  expect(await check(record)).toMatchObject({ verdict: "draw" });
});

test("a seal that is not the one shown before the match is found out", async () => {
  const { commitment, bytes } = sealed().seal;
  expect(await check(sealed(), { commitment, bytes: { 1: bytes[0]! } })).toMatchObject({ verdict: "fair" });
  expect(await check(sealed(), { commitment: other(commitment), bytes: {} })).toEqual({ verdict: "seal" });
  expect(await check(sealed(), { commitment, bytes: { 1: other(bytes[0]!) } })).toEqual({ verdict: "seal" });
});

test("nonsense is not fair, and what is still sealed is not judged", async () => {
  const record = sealed();
  record.log[0]!.picks = [[0, 0]];
  expect(await check(record)).toEqual({ verdict: "draw", entry: 1 });
  expect(await check({ ...sealed(), seal: { ...sealed().seal, seed: null } })).toEqual({ verdict: "unknown" });
});
