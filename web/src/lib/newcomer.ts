// What a newcomer is told once: that there are lessons, and what to do in the first turn of the first match of a game.
import { remember, remembered } from "./storage";

/** Return whether something was never told in this browser. */
export const isNews = (what: string): boolean => remembered("told." + what) === null;

export function told(what: string): void {
  remember("told." + what, "yes");
}
