// Tic-Tac Match in the log: small cards. And the banners over the grid.
import type { Entry, Message } from "../../lib/protocol";
import type { Glimpse } from "../contract";
import type { Marks } from "./cards";

export function glimpse(entry: Entry): Glimpse[] | null {
  const { card, drawn, laid_down } = (entry.marks ?? {}) as Marks;
  if (entry.move.startsWith("deal")) return drawn?.cards ? [{ text: { key: "tictacmatch.glimpse.dealt", params: { seat: drawn.seat } } }, ...drawn.cards.map((one) => ({ picture: one }))] : null;
  if (drawn) return drawn.cards?.length ? [{ text: "+" }, ...drawn.cards.map((one) => ({ picture: one }))] : [];
  if (laid_down) return [{ text: { key: `tictacmatch.glimpse.${entry.by ? "wiped" : "redealt"}`, params: { seat: laid_down.seat } } }, ...laid_down.cards.map((one) => ({ picture: one }))];
  if (!card || entry.by === 0) return null;
  return [{ picture: card, text: entry.message }];
}

export function banner({ marks, by }: Entry, eye: number | null): Message | null {
  const { card, identities, laid_down } = (marks ?? {}) as Marks;
  if (by && card === "F" && identities) return eye === null ? { key: "tictacmatch.banner.flip" } : { key: "tictacmatch.banner.flip.you", params: { sign: identities[eye - 1]! } };
  if (by && laid_down) return laid_down.seat === eye ? { key: "tictacmatch.banner.wiped.you" } : { key: "tictacmatch.banner.wiped", params: { seat: laid_down.seat } };
  return null;
}
