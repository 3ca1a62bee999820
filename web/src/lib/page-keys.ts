// The keys of a whole page, such as the arrows of a replay. They work wherever the focus is, unless the focused element uses keys itself.
import { isPlain } from "./grid-keys";

const USES_KEYS = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=slider], [role=grid], [role=application]";
const USES_SPACE = "button, summary, input, a[href]";

/** Return whether a key is for the page: nothing else has used it or will use it, and no dialog is open. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || !isPlain(event) || document.querySelector("dialog[open]")) return false;
  const focused = event.target instanceof Element ? event.target : null;
  return !focused?.closest(event.key === " " ? `${USES_KEYS}, ${USES_SPACE}` : USES_KEYS);
}
