// How AFTAEBR tells its entries: small pieces in a line of the log, and who is out.
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
