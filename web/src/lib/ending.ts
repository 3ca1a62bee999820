// How a match ended, in words.
import { levelName } from "./levels";
import type { Result } from "./protocol";
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

/** What the button for the next match says. */
export function rematchWords(table: Table, otherLevel: string | null): string {
  if (otherLevel) return t("end.new_level", { level: levelName(otherLevel) });
  return table.rematch ? t("end.rematch.join") : t("end.rematch");
}
