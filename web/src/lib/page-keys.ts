// The keys of a whole page, such as the arrows of a replay. They work wherever the focus is, unless the focused element uses keys itself.
import { isPlain } from "./grid-keys";

const USE_ALL = "input:not([type=checkbox], [type=range]), textarea, select, [contenteditable], [role=grid], [role=application]";
const USE_SPACE = "button, summary, input[type=checkbox], a[href], [role=slider]";
const USE_ARROWS = "input[type=range], [role=slider]"; // and Home, End and the like, but no letters

/** Return the elements that use a key themselves. */
function usersOf(key: string): string {
  if (key === " ") return `${USE_ALL}, ${USE_SPACE}`;
  return key.length === 1 ? USE_ALL : `${USE_ALL}, ${USE_ARROWS}`;
}

/** Return whether a key is for the page: nothing else has used it or will use it, and no dialog is open. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || !isPlain(event) || document.querySelector("dialog[open]")) return false;
  const focused = event.target instanceof Element ? event.target : null;
  return !focused?.closest(usersOf(event.key));
}
