// Clocks as the page shows them: what the server told, counted down until it tells again.
import type { Clock, ClockWanted, Entry } from "./protocol";
import { currentLanguage, t } from "./words.svelte";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LOW = 20 * SECOND;
const LOW_OF_DAYS = 2 * HOUR;

/** The clocks that are offered with a new table, in groups: quick turns, a bank for the match, days for every turn. */
export const OFFERED = {
  turn: [{ turn: 30 }, { turn: 60 }, { turn: 120 }],
  bank: [
    { bank: 180, increment: 2 },
    { bank: 300, increment: 5 },
    { bank: 600, increment: 10 },
    { bank: 1800, increment: 20 },
  ],
  days: [{ turn: 86400 }, { turn: 3 * 86400 }, { turn: 7 * 86400 }, { turn: 14 * 86400 }],
} satisfies Record<string, ClockWanted[]>;

/** In the place of a seat: the time of the match. */
export const WHOLE_MATCH = 0;

/** A clock and when it was told. */
export interface ClockReading {
  clock: Clock;
  at: number;
}

/** What a seat has left now, or null where it has no clock. */
export function leftNow({ clock, at }: ClockReading, seat: number, now: number): number | null {
  const left = seat === WHOLE_MATCH ? clock.match : clock.left[seat - 1];
  if (left === null || left === undefined) return null;
  const start = seat === WHOLE_MATCH ? at : at + clock.starts_in;
  return clock.running.includes(seat) ? Math.max(0, left - Math.max(0, now - start)) : left;
}

/** How long the page may still show what others did before the time of one of these seats starts; endless without a clock. */
export function timeToShow(reading: ClockReading | null, seats: number[], now: number): number {
  if (!reading || !seats.some((seat) => reading.clock.running.includes(seat))) return Infinity;
  return Math.max(0, reading.at + reading.clock.starts_in - now);
}

/** What a seat had left after its last entry in a line, or null: the replay shows it. Of somebody who ran out of time, nothing is left. */
export function leftThen(line: Entry[], seat: number): number | null {
  const isLate = ({ marks }: Entry): boolean => ((marks?.late as number[] | undefined) ?? []).includes(seat);
  const last = line.findLast((entry) => (entry.by === seat && entry.left != null) || isLate(entry));
  return last && isLate(last) ? 0 : (last?.left ?? null);
}

/** Whether there is reason to hurry. Who has days is told hours before. */
export function isLow(left: number, agreed: ClockWanted | null): boolean {
  const slow = agreed && "turn" in agreed && agreed.turn * SECOND >= DAY;
  return left <= (slow ? LOW_OF_DAYS : LOW);
}

/** 2 d 23 h, 5 h 20 min, 4:07: as short as can be, and never more than there is. */
export function timeText(ms: number): string {
  if (ms >= DAY) return t("time.days_hours", { d: Math.floor(ms / DAY), h: Math.floor((ms % DAY) / HOUR) });
  if (ms >= HOUR) return t("time.hours", { h: Math.floor(ms / HOUR), min: Math.floor((ms % HOUR) / MINUTE) });
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A span of seconds in words. */
export function spanText(seconds: number): string {
  if (seconds >= 86400) return seconds === 86400 ? t("time.day") : t("time.days", { n: Math.round(seconds / 86400) });
  if (seconds >= 3600 && seconds % 3600 === 0) return t("time.span.hours", { n: seconds / 3600 });
  return seconds >= 60 && seconds % 60 === 0 ? t("time.minutes", { n: seconds / 60 }) : t("time.seconds", { n: seconds });
}

/** The clock that a table agreed on, in words. */
export function clockText(clock: ClockWanted | null): string {
  if (!clock) return t("clock.none");
  if ("turn" in clock) return t("clock.turn", { span: spanText(clock.turn) });
  const bank = spanText(clock.bank);
  return clock.increment ? t("clock.bank", { bank, increment: spanText(clock.increment) }) : t("clock.bank.only", { bank });
}

/** How long ago something was, in words. */
export function agoText(ms: number): string {
  const ago = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto" });
  if (ms >= DAY) return ago.format(-Math.floor(ms / DAY), "day");
  if (ms >= HOUR) return ago.format(-Math.floor(ms / HOUR), "hour");
  return ms >= MINUTE ? ago.format(-Math.floor(ms / MINUTE), "minute") : ago.format(0, "second");
}
