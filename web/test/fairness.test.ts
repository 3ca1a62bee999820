// The page's own check of a seal, against a record that `ludoteca simulate` wrote and the draws that the server tells of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check } from "../src/lib/fairness.ts";
import type { DrawsOfMatch, MatchRecord } from "../src/lib/protocol.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf-8");
const text = read("sealed.json");
const drawsText = read("sealed_draws.json");
const sealed = (): MatchRecord & { seal: { seed: string } } => JSON.parse(text);
const draws = (): DrawsOfMatch => JSON.parse(drawsText);
const drawn = sealed().log.flatMap(({ picks }) => picks ?? []);
const chance = sealed().log.flatMap(({ picks }, k) => (picks ? [k] : []));
const other = (hex: string): string => (hex[0] === "0" ? "1" : "0") + hex.slice(1);

test("a record as it was written is fair, down to every draw", async () => {
  expect(drawn.length).toBeGreaterThan(10);
  expect(await check(sealed(), draws())).toEqual({ verdict: "fair", draws: drawn.length, silent: [] });
});

test("another seed than the sealed one is found out", async () => {
  const record = sealed();
  record.seal.seed = other(record.seal.seed);
  expect(await check(record, draws())).toEqual({ verdict: "seed" });
});

test.each(drawn.map((_, k) => k))("a changed ticket is found out: draw %i", async (k) => {
  const record = sealed();
  const picks = record.log.flatMap((entry) => entry.picks ?? []);
  const [ticket, total] = picks[k]!;
  picks[k]![0] = (ticket + 1) % total;
  const entry = record.log.findIndex((candidate) => candidate.picks?.includes(picks[k]!)) + 1;
  expect(await check(record, draws())).toEqual({ verdict: "draw", entry });
});

test.each(drawn.map((_, k) => k))("a changed total is found out: draw %i", async (k) => {
  const record = sealed();
  const picks = record.log.flatMap((entry) => entry.picks ?? []);
  picks[k]![1] += 1;
  expect(await check(record, draws())).toMatchObject({ verdict: expect.stringMatching(/^(draw|outcome)$/) });
});

test.each(chance)("another outcome than the drawn one is found out: entry %i", async (k) => {
  const record = sealed();
  const words = record.log[k]!.move.split(" ");
  const last = words.length - 1;
  words[last] = words[0] === "dealer" ? "2" : words[last] === "XR" ? "OG" : "XR";
  record.log[k]!.move = words.join(" ");
  expect(await check(record, draws())).toEqual({ verdict: "outcome", entry: k + 1 });
});

test.each(chance)("picks that were removed are found out: entry %i", async (k) => {
  const record = sealed();
  delete record.log[k]!.picks;
  expect(await check(record, draws())).toEqual({ verdict: "picks", entry: k + 1 });
});

test("a record without any picks, or without any log, is not called fair", async () => {
  const record = sealed();
  for (const entry of record.log) delete entry.picks;
  expect(await check(record, draws())).toMatchObject({ verdict: "picks" });
  expect(await check({ ...sealed(), log: [] }, { entries: [] })).toEqual({ verdict: "empty" });
  const cut = sealed();
  expect(await check({ ...cut, log: cut.log.slice(0, -4) }, draws())).toMatchObject({ verdict: "picks" });
});

test("a server that hides a draw, or tells the same choice twice, is found out", async () => {
  const record = sealed();
  const hidden = draws();
  delete record.log[1]!.picks;
  hidden.entries[1] = { n: 2, why: "table" };
  expect(await check(record, hidden)).toEqual({ verdict: "picks", entry: 2 });
  const twice = draws();
  const choices = twice.entries[1]!.draws![0]!;
  choices[0] = [sealed().log[1]!.move, choices[0]![1]];
  expect(await check(sealed(), twice)).toEqual({ verdict: "outcome", entry: 2 });
});

test("an entry that is not as it was sent during the match is found out, hidden words aside", async () => {
  const log = sealed().log.map(({ by, move }, k) => ({ n: k + 1, by, move: by === 0 ? move.replace(/^(deal|draw) 2 .*/, (all) => all.replace(/[XO][RBYG]|\b[FWD]\b/g, "?")) : move }));
  expect(log[2]!.move).toBe("deal 2 ? ? ? ?");
  expect(await check(sealed(), draws(), null, log)).toMatchObject({ verdict: "fair" });
  const k = log.findIndex(({ by }) => by !== 0);
  const record = sealed();
  record.log[k]!.move = "OB a1";
  expect(await check(record, draws(), null, log)).toEqual({ verdict: "sent", entry: k + 1 });
});

test("a draw that was left out is found out", async () => {
  const record = sealed();
  const k = record.log.findIndex(({ picks }) => (picks?.length ?? 0) > 1);
  record.log[k]!.picks!.shift();
  expect(await check(record, draws())).toEqual({ verdict: "picks", entry: k + 1 });
});

test("another seat's bytes are found out", async () => {
  const record = sealed();
  record.seal.bytes[1] = other(record.seal.bytes[1]!);
  expect(await check(record, draws())).toMatchObject({ verdict: "draw" });
});

test("a seal that is not the one shown before the match is found out", async () => {
  const { commitment, bytes } = sealed().seal;
  const seen = { commitment, bytes: { 1: bytes[0]! }, shown: [1], commits: null };
  expect(await check(sealed(), draws(), seen)).toMatchObject({ verdict: "fair" });
  expect(await check(sealed(), draws(), { ...seen, commitment: other(commitment) })).toEqual({ verdict: "seal" });
  expect(await check(sealed(), draws(), { ...seen, bytes: { 1: other(bytes[0]!) } })).toEqual({ verdict: "seal" });
});

test("nonsense is not fair, and what is still sealed is not judged", async () => {
  const record = sealed();
  record.log[0]!.picks = [[0, 0]];
  expect(await check(record, draws())).toEqual({ verdict: "draw", entry: 1 });
  expect(await check({ ...sealed(), seal: { ...sealed().seal, seed: null } }, draws())).toEqual({ verdict: "unknown" });
});

// A record of the second format: seat 1 showed its bytes, seat 2 did not in time, seat 3 is a bot.
const committed = (): MatchRecord & { seal: { seed: string; commits: (string | null)[] } } => JSON.parse(read("committed.json"));
const committedDraws = (): DrawsOfMatch => JSON.parse(read("committed_draws.json"));

test("bytes must be those that a seat committed itself to, and a bot's must follow from the seed", async () => {
  expect(await check(committed(), committedDraws())).toEqual({ verdict: "fair", draws: 5, silent: [2] });
  for (const seat of [1, 2, 3]) {
    const record = committed();
    record.seal.bytes[seat - 1] = "c".repeat(32);
    expect(await check(record, committedDraws())).toEqual({ verdict: "bytes", seat });
  }
  const record = committed();
  record.seal.commits[0] = other(record.seal.commits[0]!);
  expect(await check(record, committedDraws())).toEqual({ verdict: "bytes", seat: 1 });
});

test("the commitments and bytes must be those that this page saw and showed", async () => {
  const { commitment, commits, bytes } = committed().seal;
  const seen = { commitment, bytes: { 1: bytes[0]! }, shown: [1], commits };
  expect(await check(committed(), committedDraws(), seen)).toMatchObject({ verdict: "fair" });
  expect(await check(committed(), committedDraws(), { ...seen, commits: [other(commits[0]!), ...commits.slice(1)] })).toEqual({ verdict: "seal" });
  const late = { ...seen, bytes: { 2: "d".repeat(32) }, shown: [] };
  expect(await check(committed(), committedDraws(), late)).toMatchObject({ verdict: "fair" }); // the bytes were not acknowledged
  expect(await check(committed(), committedDraws(), { ...late, shown: [2] })).toEqual({ verdict: "seal" });
});

test("entries of another match need no picks, and are told; an entry after them does", async () => {
  const record = sealed();
  const whole = { ...record, log: record.log.map(({ picks: _, ...entry }) => entry), given: { entries: record.log.length, match: null, entry: null } };
  expect(await check(whole, draws())).toEqual({ verdict: "none", given: record.log.length });
  const first = chance[0]! + 1;
  expect(await check({ ...whole, given: { ...whole.given, entries: first - 1 } }, draws())).toEqual({ verdict: "picks", entry: first });
});
