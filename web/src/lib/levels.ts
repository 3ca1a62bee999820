// The levels of the computer: the one that was played last, and their names.
import type { GameListed } from "./protocol";
import { remember, remembered } from "./storage";
import { capital, hasWords, t } from "./words.svelte";

/** Return the level to offer: the last one played in this game, or else the one that the server names. */
export function usualLevel(game: Pick<GameListed, "key" | "bots" | "usual_bot">): string {
  const last = remembered("level." + game.key);
  return last && game.bots.includes(last) ? last : (game.usual_bot ?? "");
}

export function rememberLevel(game: string, level: string): void {
  remember("level." + game, level);
}

export function levelName(level: string): string {
  const key = "level." + level;
  return hasWords(key) ? t(key) : capital(level);
}
