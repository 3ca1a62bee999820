// Clocks between two messages of the server.
import { expect, test } from "vitest";
import { isLow, leftNow, leftThen, timeText, timeToShow, WHOLE_MATCH } from "../src/lib/clock.ts";
import type { Clock, Entry } from "../src/lib/protocol.ts";

const bank: Clock = { kind: "bank", running: [2], starts_in: 0, left: [60_000, 45_000, null], match: null, late: [] };
const entry = (n: number, by: number, left?: number): Entry => ({ n, by, move: "", message: { key: "core.over" }, ...(left !== undefined && { left }) });

test("only the clock that runs is counted down, and not below zero", () => {
  const clock = { clock: bank, at: 1000 };
  expect(leftNow(clock, 1, 11_000)).toBe(60_000);
  expect(leftNow(clock, 2, 11_000)).toBe(35_000);
  expect(leftNow(clock, 2, 500)).toBe(45_000);
  expect(leftNow(clock, 2, 99_000)).toBe(0);
  expect(leftNow(clock, 3, 11_000)).toBeNull();
});

test("the time of the match runs beside the time of a turn", () => {
  const both: Clock = { kind: "turn", running: [0, 1], starts_in: 2000, left: [30_000, null], match: 90_000, late: [] };
  expect(leftNow({ clock: both, at: 0 }, WHOLE_MATCH, 30_000)).toBe(60_000);
  expect(leftNow({ clock: both, at: 0 }, 1, 10_000)).toBe(22_000);
});

test("the page shows what others did until the time of somebody here starts", () => {
  const clock = { clock: { ...bank, starts_in: 7000 }, at: 1000 };
  expect(timeToShow(clock, [2], 3000)).toBe(5000);
  expect(timeToShow(clock, [2], 9000)).toBe(0);
  expect(timeToShow(clock, [1], 3000)).toBe(Infinity);
  expect(timeToShow(null, [1], 3000)).toBe(Infinity);
});

test("somebody who ran out of time has nothing left, also after the claim", () => {
  const late: Entry = { ...entry(3, 0), move: "timeout 1", marks: { late: [1] } };
  const claim: Entry = { ...entry(4, 2), move: "claim", marks: { claimed_from: [1], late: [1] } };
  const line = [entry(1, 1, 57_000), entry(2, 2, 50_000), late];
  expect(leftThen(line, 1)).toBe(0);
  expect(leftThen([...line, claim], 1)).toBe(0);
  expect(leftThen(line, 2)).toBe(50_000);
  expect(leftThen([...line, entry(4, 1, 5000)], 1)).toBe(5000);
});

test("a turn's time stands still while the page shows what others did", () => {
  const clock = { clock: { ...bank, starts_in: 7000 }, at: 1000 };
  expect(leftNow(clock, 2, 8000)).toBe(45_000);
  expect(leftNow(clock, 2, 11_000)).toBe(42_000);
});

test("a replay shows what was left after a seat's last entry", () => {
  const line = [entry(1, 0), entry(2, 1, 50_000), entry(3, 2, 58_000), entry(4, 1, 41_000)];
  expect(leftThen(line, 1)).toBe(41_000);
  expect(leftThen(line.slice(0, 3), 1)).toBe(50_000);
  expect(leftThen(line.slice(0, 2), 2)).toBeNull();
});

test("seconds are few for a quick game, hours for a slow one", () => {
  expect(isLow(15_000, { bank: 300, increment: 5 })).toBe(true);
  expect(isLow(3_600_000, { bank: 1800, increment: 0 })).toBe(false);
  expect(isLow(3_600_000, { turn: 86_400 })).toBe(true);
});

test("time is written as short as can be", () => {
  expect([0, 400, 59_001, 61_000, 600_000].map(timeText)).toEqual(["0:00", "0:01", "1:00", "1:01", "10:00"]);
});
