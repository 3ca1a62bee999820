// The entries of a log grouped into turns: one line of the log each.
import type { Entry } from "./protocol";

export interface Turn {
  /** Whose turn it is; null for what the table does before the first turn, and for what concerns the whole table. */
  seat: number | null;
  /** The entries to tell, never empty. Those whose marks say `quiet` are left out. */
  entries: Entry[];
  /** False for a turn, or the rest of one, that was taken back. */
  stands: boolean;
  /** Counts the turns of seats that stand, from 1; null for all others. */
  number: number | null;
}

/** Whether an entry of the same seat opens a new turn. `turn` has the entries of the turn that runs. */
export type StartsTurn = (entry: Entry, turn: Entry[]) => boolean;

/**
 * Group the entries of a log. What a seat does in a row is one turn, and so is what chance adds to it (draws, rolls).
 * What the table says of itself (a takeback, time that ran out, a resignation) opens a line of its own.
 */
export function turnsOf(entries: Entry[], line: Entry[], startsTurn: StartsTurn = () => false): Turn[] {
  const standing = new Set(line.map(({ n }) => n));
  const turns: Turn[] = [];
  let number = 0;
  for (const entry of entries) {
    if (entry.marks?.quiet) continue;
    const stands = standing.has(entry.n) || isTakeback(entry);
    const last = turns.at(-1);
    if (last && last.stands === stands && belongs(entry, last, startsTurn)) {
      last.entries.push(entry);
      continue;
    }
    const seat = entry.by || seatNamed(entry);
    const counts = stands && entry.by > 0 && !isOfTable(entry);
    turns.push({ seat, entries: [entry], stands, number: counts ? ++number : null });
  }
  return turns;
}

function belongs(entry: Entry, { seat, entries }: Turn, startsTurn: StartsTurn): boolean {
  if (isOfTable(entry) || seat === null) return false;
  if (entry.by === 0) return true;
  return entry.by === seat && !isOfTable(entries[0]!) && !startsTurn(entry, entries);
}

/** Whether the words of an entry are the page's own and not a game's: a takeback, a resignation, a clock. */
const isOfTable = ({ message }: Entry): boolean => message.key.startsWith("core.");

const isTakeback = ({ by, move }: Entry): boolean => by === 0 && move.startsWith("takeback ");

/** The seat that an entry of the table is about, if it is one of the table's own words. */
function seatNamed(entry: Entry): number | null {
  const seat = entry.message.params?.seat;
  return isOfTable(entry) && typeof seat === "number" ? seat : null;
}

/** The turns to mark on the board: the one that runs or ran last, and the one before it by another seat. */
export function latestTurns(turns: Turn[]): Turn[] {
  const ofSeats = turns.filter(({ seat, stands }) => seat !== null && stands);
  const last = ofSeats.at(-1);
  const before = ofSeats.at(-2);
  if (!last) return [];
  return before && before.seat !== last.seat ? [before, last] : [last];
}
