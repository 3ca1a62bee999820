// The levels of the computer: which one was played last, and what they are called.
import { remember, remembered } from "./storage";
import { capital, hasWords, t } from "./words.svelte";

const FIRST = "casual";

export function usualLevel(bots: string[]): string {
  const wanted = [remembered("level"), FIRST].find((level) => level && bots.includes(level));
  return wanted ?? bots[Math.floor(bots.length / 2)] ?? "";
}

export function rememberLevel(level: string): void {
  remember("level", level);
}

export function levelName(level: string): string {
  const key = "level." + level;
  return hasWords(key) ? t(key) : capital(level);
}
