// How a match ended, in words, and what its log tells of it.
import type { Entry, Result } from "./protocol";
import type { Table } from "./table.svelte";
import { t } from "./words.svelte";

export function endTitle(table: Table, result: Result): string {
  const { winners } = result;
  if (winners.length === 0 || winners.length === table.seats.length) return t("end.tie");
  const mine = winners.filter((seat) => table.seatOf(seat)?.mine);
  if (mine.length && table.mine.length === 1) return winners.length === 1 ? t("end.won") : t("end.team_won");
  if (winners.length === 1) return t("end.lost", { name: table.nameOf(winners[0]!) });
  return t("end.won_by", { names: winners.map(table.nameOf).join(", ") });
}

/** The entries that scored most, best first, the earlier of equals first. */
export function bestMoves(line: Entry[], count = 3): Entry[] {
  return line
    .filter((entry) => entry.by > 0 && (entry.score ?? 0) > 1)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.n - b.n)
    .slice(0, count);
}

/** The points of every seat after each entry that scored: one row a seat, all of the same length. */
export function race(line: Entry[], seats: number): number[][] {
  const rows = Array.from({ length: seats }, () => [0]);
  for (const entry of line) {
    if (entry.score == null) continue;
    rows.forEach((row, k) => row.push(row.at(-1)! + (entry.by === k + 1 ? entry.score! : 0)));
  }
  return rows;
}
