// Clocks as the page shows them: counted down from the server's last message.
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

/** Instead of a seat: the time of the match. */
export const WHOLE_MATCH = 0;

/** A clock, and when its message arrived. */
export interface ClockReading {
  clock: Clock;
  at: number;
}

/** Return the time that a seat has left now, or null without a clock. */
export function leftNow({ clock, at }: ClockReading, seat: number, now: number): number | null {
  const left = seat === WHOLE_MATCH ? clock.match : clock.left[seat - 1];
  if (left === null || left === undefined) return null;
  const start = seat === WHOLE_MATCH ? at : at + clock.starts_in;
  return clock.running.includes(seat) ? Math.max(0, left - Math.max(0, now - start)) : left;
}

/** Return how long the page may still show others' moves before the time of one of these seats starts; Infinity without a clock. */
export function timeToShow(reading: ClockReading | null, seats: number[], now: number): number {
  if (!reading || !seats.some((seat) => reading.clock.running.includes(seat))) return Infinity;
  return Math.max(0, reading.at + reading.clock.starts_in - now);
}

/** Return the time that a seat had left after its last entry, for the replay; 0 after a timeout, null without a clock. */
export function leftThen(line: Entry[], seat: number): number | null {
  const isLate = ({ marks }: Entry): boolean => ((marks?.late as number[] | undefined) ?? []).includes(seat);
  const last = line.findLast((entry) => (entry.by === seat && entry.left != null) || isLate(entry));
  return last && isLate(last) ? 0 : (last?.left ?? null);
}

/** Return whether little time is left. With days for a turn, the warning comes hours before. */
export function isLow(left: number, agreed: ClockWanted | null): boolean {
  const slow = agreed && "turn" in agreed && agreed.turn * SECOND >= DAY;
  return left <= (slow ? LOW_OF_DAYS : LOW);
}

/** Return a time as text, rounded down: 2 d 23 h, 5 h 20 min, 4:07. */
export function timeText(ms: number): string {
  if (ms >= DAY) return t("time.days_hours", { d: Math.floor(ms / DAY), h: Math.floor((ms % DAY) / HOUR) });
  if (ms >= HOUR) return t("time.hours", { h: Math.floor(ms / HOUR), min: Math.floor((ms % HOUR) / MINUTE) });
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Return a number of seconds in words. */
export function spanText(seconds: number): string {
  if (seconds >= 86400) return seconds === 86400 ? t("time.day") : t("time.days", { n: Math.round(seconds / 86400) });
  if (seconds >= 3600 && seconds % 3600 === 0) return t("time.span.hours", { n: seconds / 3600 });
  return seconds >= 60 && seconds % 60 === 0 ? t("time.minutes", { n: seconds / 60 }) : t("time.seconds", { n: seconds });
}

/** Return the clock that a table agreed on, in words. */
export function clockText(clock: ClockWanted | null): string {
  if (!clock) return t("clock.none");
  if ("turn" in clock) return t("clock.turn", { span: spanText(clock.turn) });
  const bank = spanText(clock.bank);
  return clock.increment ? t("clock.bank", { bank, increment: spanText(clock.increment) }) : t("clock.bank.only", { bank });
}

/** Return how long ago something was, in words. */
export function agoText(ms: number): string {
  const ago = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto" });
  if (ms >= DAY) return ago.format(-Math.floor(ms / DAY), "day");
  if (ms >= HOUR) return ago.format(-Math.floor(ms / HOUR), "hour");
  return ms >= MINUTE ? ago.format(-Math.floor(ms / MINUTE), "minute") : ago.format(0, "second");
}
