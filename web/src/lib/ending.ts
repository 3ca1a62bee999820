// How a match ended, in words.
import { playerName } from "./bots";
import { levelName } from "./levels";
import type { MyTable, Result } from "./protocol";
import type { Table } from "./table.svelte";
import { hasWords, t } from "./words.svelte";

export function endTitle(table: Table, result: Result): string {
  const { winners } = result;
  if (table.seats.length === 1) return endAlone(table, winners.length > 0);
  if (winners.length === 0 || winners.length === table.seats.length) return t("end.tie");
  const mine = winners.filter((seat) => table.seatOf(seat)?.mine);
  const team = table.teamOf(winners[0]!);
  if (mine.length && table.mine.length === 1) {
    if (winners.length === 1) return t("end.won");
    const others = winners.filter((seat) => seat !== mine[0]).map(table.nameOf).join(", ");
    return team ? t("end.team_won") : t("end.won_with", { names: others });
  }
  if (team) return t("end.team_won_by", { team, names: winners.map(table.nameOf).join(", ") });
  if (winners.length === 1) return t("end.lost", { name: table.nameOf(winners[0]!) });
  return t("end.won_by", { names: winners.map(table.nameOf).join(", ") });
}

/** Return the title in few words, for a line beside the players: a team without the names of its players. */
export function endHeadline(table: Table, result: Result): string {
  const team = result.winners.length < table.seats.length && result.winners.length ? table.teamOf(result.winners[0]!) : null;
  const isMine = table.mine.length === 1 && result.winners.includes(table.mine[0]!.seat);
  return team && !isMine ? t("end.team_won_by.short", { team }) : endTitle(table, result);
}

function endAlone(table: Table, won: boolean): string {
  if (table.mine.length) return won ? t("end.won") : t("end.lost_alone");
  const name = table.nameOf(1);
  return won ? t("end.lost", { name }) : t("end.lost_alone_by", { name });
}

/** Return why the match ended, or null if the winner says it all. */
export function endReason(table: Table, { reason }: Result): string | null {
  const last = table.entries.at(-1);
  const from = (last?.marks?.claimed_from as number[] | undefined) ?? [];
  if (reason === "claimed" && last && from.length) {
    const late = (last.marks?.late as number[]).length > 0 ? "late" : "gone";
    const params = { name: table.nameOf(last.by), loser: from.map(table.nameOf).join(", ") };
    const alone = table.mine.length === 1 ? table.mine[0]!.seat : null;
    if (alone !== null && from.includes(alone)) return t(`end.claimed.from_me.${late}`, params);
    return t(alone === last.by ? `end.claimed.by_me.${late}` : `end.claimed.${late}`, params);
  }
  const key = "end.reason." + reason;
  return hasWords(key) ? t(key) : null;
}

/** Return why the match ended in few words, for a list. */
export function outcomeText({ seats, result }: MyTable): string {
  const winners = result?.winners ?? [];
  const mine = seats.filter((seat) => seat.mine);
  if (seats.length === 1) return winners.length ? t("mine.won") : t("mine.lost");
  if (winners.length === 0 || winners.length === seats.length) return t("mine.tie");
  if (mine.length === 1) return winners.includes(mine[0]!.seat) ? t("mine.won") : t("mine.lost");
  const names = winners.map((seat) => playerName(seats, seat - 1) ?? "");
  return t("mine.won_by", { names: names.join(", ") });
}

/** Return the label of the button for the next match. */
export function rematchWords(table: Table, otherLevel: string | null): string {
  if (otherLevel) return t("end.new_level", { level: levelName(otherLevel) });
  if (table.seats.length === 1) return t("end.again");
  return table.rematch ? t("end.rematch.join") : t("end.rematch");
}

/** A row of the final scores: a player, or a team with its players. */
export interface Row {
  team: number | null;
  score: number;
  seats: number[];
}

/** Return the final scores, best first. Partners share a row, whose score is the team's. */
export function rowsOf(seats: number[], scores: number[], teamOf: (seat: number) => number | null): Row[] {
  const rows: Row[] = [];
  for (const seat of seats) {
    const team = teamOf(seat);
    const shared = team === null ? undefined : rows.find((row) => row.team === team);
    if (shared) shared.seats.push(seat);
    else rows.push({ team, score: scores[seat - 1] ?? 0, seats: [seat] });
  }
  return rows.sort((a, b) => b.score - a.score);
}
