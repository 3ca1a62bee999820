// The entries of a log grouped into turns: one line of the log each.
import type { Entry } from "./protocol";

export interface Turn {
  /** The seat of the turn; null before the first turn, and for entries about the whole table. */
  seat: number | null;
  /** The entries to show, never empty. Entries with the mark `quiet` are left out. */
  entries: Entry[];
  /** False for a turn, or a part of one, that was taken back. */
  stands: boolean;
  /** The number of the turn, from 1, among the seats' turns that stand; null for all others, and for a set-up. */
  number: number | null;
}

/** Return whether an entry of the same seat begins a new turn. `turn` has the entries of the current turn. */
export type StartsTurn = (entry: Entry, turn: Entry[]) => boolean;

/**
 * Group the entries of a log. The entries of a seat in a row are one turn, with the draws of chance between them.
 * A draw with the mark `begins_turn` opens the turn of the next seat. The table's own entries (a takeback, a timeout, a
 * resignation) get a line of their own.
 */
export function turnsOf(entries: Entry[], line: Entry[], startsTurn: StartsTurn = () => false): Turn[] {
  const standing = new Set(line.map(({ n }) => n));
  const turns: Turn[] = [];
  let number = 0;
  for (const entry of entries) {
    if (entry.marks?.quiet) continue;
    const stands = standing.has(entry.n) || isTakeback(entry);
    const last = turns.at(-1);
    const joins = last && last.stands === stands && belongs(entry, last, startsTurn);
    const turn: Turn = joins ? last : { seat: entry.by || seatNamed(entry), entries: [], stands, number: null };
    turn.entries.push(entry);
    if (!joins) turns.push(turn);
    const counts = entry.by > 0 && !isOfTable(entry) && !entry.marks?.set_up && stands;
    if (counts && turn.number === null) turn.number = ++number;
    if (entry.by > 0) turn.seat = entry.by;
  }
  return turns;
}

function belongs(entry: Entry, { seat, entries }: Turn, startsTurn: StartsTurn): boolean {
  const first = entries[0]!;
  if (isOfTable(entry)) return false;
  if (entry.by === 0 && entry.marks?.begins_turn) return false;
  if (seat === null) return first.by === 0 && Boolean(first.marks?.begins_turn);
  if (entry.by === 0) return true;
  return entry.by === seat && !isOfTable(first) && !startsTurn(entry, entries);
}

/** Return whether an entry's words belong to the page and not to a game: a takeback, a resignation, a clock. */
const isOfTable = ({ message }: Entry): boolean => message.key.startsWith("core.");

const isTakeback = ({ by, move }: Entry): boolean => by === 0 && move.startsWith("takeback ");

/** Return the seat that a table event is about, if the entry is one. */
function seatNamed(entry: Entry): number | null {
  const seat = entry.message.params?.seat;
  return isOfTable(entry) && typeof seat === "number" ? seat : null;
}

/**
 * Return the turns to mark on the board: the current or last turn, and the one before it by another seat. A turn without
 * anything on the board (an offer of a draw, a takeback) does not wipe out the marks.
 */
export function latestTurns(turns: Turn[]): Turn[] {
  const ofSeats = turns.filter(({ seat, stands, entries }) => seat !== null && stands && !entries.every(isOfTable));
  const last = ofSeats.at(-1);
  const before = ofSeats.at(-2);
  if (!last) return [];
  return before && before.seat !== last.seat ? [before, last] : [last];
}
