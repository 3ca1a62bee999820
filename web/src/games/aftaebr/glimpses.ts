// AFTAEBR in the log: small pieces, and eliminated players.
import type { Entry, Message } from "../../lib/protocol";
import type { Glimpse } from "../contract";
import type { Marks } from "./geometry";

export function glimpse({ marks, message }: Entry): Glimpse[] | null {
  const { piece } = (marks ?? {}) as Marks;
  return piece ? [{ picture: piece, text: message }] : null;
}

export function banner({ marks }: Entry, eye: number | null): Message | null {
  const [seat] = ((marks ?? {}) as Marks).out ?? [];
  if (seat === undefined) return null;
  return seat === eye ? { key: "aftaebr.banner.out.you" } : { key: "aftaebr.banner.out", params: { seat } };
}

export interface Elimination {
  seat: number;
  why: "out_of_pieces" | "resigned";
}

/** Return the seats that left the match before its end, in order, and why. */
export function eliminated(line: Entry[]): Elimination[] {
  return line.flatMap(({ by, move, marks }): Elimination[] => {
    if (by && move === "resign") return [{ seat: by, why: "resigned" }];
    return (((marks ?? {}) as Marks).out ?? []).map((seat) => ({ seat, why: "out_of_pieces" }));
  });
}
