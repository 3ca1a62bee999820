// Refusals of the server, in words.
import { hasWords, t, type UiKey } from "./words.svelte";

export function refusalText(code: string, otherwise: UiKey = "refused"): string {
  const key = "refused." + code;
  return hasWords(key) ? t(key) : t(otherwise);
}
