// The levels of the computer: which one was played last, and what they are called.
import type { GameListed } from "./protocol";
import { remember, remembered } from "./storage";
import { capital, hasWords, t } from "./words.svelte";

/** The level to offer: the one that was played last at this game, else the one that the server names. */
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
