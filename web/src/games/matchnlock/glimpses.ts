// Match'n Lock! in the log: small tokens, rotations and locks.
import type { Entry } from "../../lib/protocol";
import type { Glimpse } from "../contract";
import { readToken, type Marks, type Token } from "./geometry";
import type { Pictured } from "./Picture.svelte";

const marksOf = (entry: Entry): Marks & { token?: Token } => (entry.marks ?? {}) as Marks & { token?: Token };

/** A turn is a draw with the placement that follows, or any other move alone. */
export function startsTurn(_: Entry, turn: Entry[]): boolean {
  return turn.findLast(({ by }) => by > 0)?.move !== "draw";
}

export function glimpse(entry: Entry, turn: Entry[]): Glimpse[] | null {
  const { did, token, closed = [] } = marksOf(entry);
  const locks = closed.map(({ colour }) => ({ picture: { lock: colour } }));
  const withLocks = (picture: Pictured): Glimpse[] => [{ picture, text: entry.message }, ...locks];
  const isPlaced = turn.some((other) => marksOf(other).did === "place");
  if (entry.move === "draw") return turn.length > 1 ? [] : null;
  if (did === "drawn" && token) return isPlaced ? [] : [{ picture: { token } satisfies Pictured, text: entry.message }];
  if (did === "place") {
    const drawn = turn.map((other) => marksOf(other).token).find((one) => one !== undefined);
    return drawn ? withLocks({ token: drawn }) : null;
  }
  if (did === "clockwise" || did === "anticlockwise") return withLocks({ way: did });
  if (did === "replace") return withLocks({ token: readToken(entry.move) });
  return null;
}
