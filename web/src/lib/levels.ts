// The levels of the computer: which one was played last, and what they are called.
import type { GameListed } from "./protocol";
import { remember, remembered } from "./storage";
import { capital, hasWords, t } from "./words.svelte";

/** The level to offer: the one that was played last, else the one that the server names. */
export function usualLevel(game: Pick<GameListed, "bots" | "usual_bot">): string {
  const last = remembered("level");
  return last && game.bots.includes(last) ? last : (game.usual_bot ?? "");
}

export function rememberLevel(level: string): void {
  remember("level", level);
}

export function levelName(level: string): string {
  const key = "level." + level;
  return hasWords(key) ? t(key) : capital(level);
}
