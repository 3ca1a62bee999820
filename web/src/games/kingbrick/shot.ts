// The last flick on the board with all that followed from it: its film, the release rolls, and what happened to which brick.
import type { Entry } from "../../lib/protocol";
import { filmOf } from "./notation";
import type { Marks } from "./view";

export interface Shot {
  film: string;
  /** The bricks that left the board, in order. */
  fell: string[][];
  rolls: { brick: string; face: number }[];
  happened: Happening[];
  /** The next flick is on its way: what happened has been seen. */
  isOver: boolean;
}

/** What happened to a brick, or with the flick itself. */
export interface Happening {
  what: "misflick" | "push" | "fell" | "captured" | "deserted" | "left" | "escaped" | "defeated";
  brick: string | null;
}

const marksOf = ({ marks }: Entry): Marks => (marks ?? {}) as Marks;

/** The last flick among these entries; null where nothing was filmed. */
export function shotOf(entries: Entry[]): Shot | null {
  const at = entries.findLastIndex(({ move }) => filmOf(move) !== null);
  const filmed = entries[at];
  if (!filmed) return null;
  const later = entries.slice(at);
  const next = later.findIndex(({ move }) => move.startsWith("flick "));
  const its = next < 0 ? later : later.slice(0, next);
  return {
    film: filmOf(filmed.move)!,
    fell: marksOf(filmed).fell ?? [],
    rolls: its.flatMap(({ move, marks }) => (move.startsWith("roll ") ? [marks as { brick: string; face: number }] : [])),
    happened: its.flatMap(happenings),
    isOver: next >= 0,
  };
}

function happenings(entry: Entry): Happening[] {
  const { infraction, fell = [], captured = [], deserted = [], left = [], brick, mood } = marksOf(entry);
  const of = (what: Happening["what"], names: string[]): Happening[] => names.map((name) => ({ what, brick: name }));
  return [
    ...(infraction ? [{ what: infraction, brick: null }] : []),
    ...of("fell", fell.flat()),
    ...of("captured", captured),
    ...of("deserted", deserted),
    ...of("left", left),
    ...(mood && brick ? of(mood === "happy" ? "escaped" : "defeated", [brick]) : []),
  ];
}
