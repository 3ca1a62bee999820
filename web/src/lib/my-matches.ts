// My matches, counted and sorted: against whom, how they ended, which may be deleted.
import type { MyTable } from "./protocol";

export type Outcome = "won" | "lost" | "tie";
/** Against whom a match is: the level of a bot, other people, or nobody (alone, or several at this device). */
export type Against = string;
export const [PEOPLE, NOBODY] = ["people", "nobody"] as const;

/** Return how a finished match ended for me; null where I held several seats, or it is not over. */
export function outcomeOf({ seats, result }: MyTable): Outcome | null {
  const mine = seats.filter((seat) => seat.mine);
  if (!result || mine.length !== 1) return null;
  if (seats.length === 1) return result.winners.length ? "won" : "lost";
  if (result.winners.length === 0 || result.winners.length === seats.length) return "tie";
  return result.winners.includes(mine[0]!.seat) ? "won" : "lost";
}

/** Return against whom a match is. Where people and bots play, the people count; of several bots, the strongest. */
export function againstOf({ seats }: MyTable, levels: readonly string[]): Against {
  const others = seats.filter((seat) => !seat.mine);
  if (!others.length) return NOBODY;
  if (others.some(({ bot }) => !bot)) return PEOPLE;
  return others.map(({ bot }) => bot!).toSorted((a, b) => levels.indexOf(b) - levels.indexOf(a))[0]!;
}

/** Return whether this guest may delete a table: one that waits and is theirs, or a match in which nobody else plays. */
export function canDelete({ state, seats, creator }: MyTable): boolean {
  if (state === "waiting") return creator;
  return state === "running" && seats.every(({ mine, bot }) => mine || bot);
}

export interface Score {
  won: number;
  of: number;
}

/** Return the wins by game and opponent: finished matches in which I held one seat. */
export function winsOf(tables: readonly MyTable[], levels: readonly string[]): Map<string, Map<Against, Score>> {
  const wins = new Map<string, Map<Against, Score>>();
  for (const table of tables) {
    const outcome = outcomeOf(table);
    if (!outcome) continue;
    const ofGame = wins.get(table.game) ?? new Map<Against, Score>();
    const against = againstOf(table, levels);
    const score = ofGame.get(against) ?? { won: 0, of: 0 };
    ofGame.set(against, { won: score.won + Number(outcome === "won"), of: score.of + 1 });
    wins.set(table.game, ofGame);
  }
  return wins;
}

export interface Filter {
  game: string;
  against: Against;
  outcome: string;
}

/** Return the tables that a filter lets through; an empty text lets all through. */
export function filtered(tables: readonly MyTable[], { game, against, outcome }: Filter, levels: readonly string[]): MyTable[] {
  return tables.filter(
    (table) => (!game || table.game === game) && (!against || againstOf(table, levels) === against) && (!outcome || outcomeOf(table) === outcome),
  );
}
