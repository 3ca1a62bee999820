// The current place in the page: the shelf, a table or its replay, my matches, or the lessons or rules of a game. And the open dialogs: the browser's
// Back closes the uppermost one instead of leaving the page.
import { at, within } from "./root";

let path = $state(within(location.pathname));

interface Sheet {
  id: number;
  close(): void;
}
let sheets: Sheet[] = [];
let lastSheet = 0;
let unwinding = 0; // steps back that this page made itself, when a dialog was closed by its own button

addEventListener("popstate", () => {
  path = within(location.pathname);
  if (unwinding) unwinding -= 1;
  else sheets.pop()?.close();
});

/** Open a dialog: it gets an entry in the browser's history. Return a function to call when it is closed. */
export function openSheet(close: () => void): () => void {
  const id = (lastSheet += 1);
  sheets.push({ id, close });
  history.pushState({ sheet: id }, "");
  return () => {
    sheets = sheets.filter((sheet) => sheet.id !== id);
    if ((history.state as { sheet?: number } | null)?.sheet !== id) return; // Back has closed it, or the page has changed
    unwinding += 1;
    history.back();
  };
}

export function currentTable(): string | null {
  return /^\/t\/([\w-]+)(\/|\/replay|\/review|\/embed)?$/.exec(path)?.[1] ?? null;
}

/** A link that shows a match from its beginning. */
export const replayPath = (table: string): string => at(`/t/${table}/replay`);

/** A link that shows a match after an entry. */
export const momentPath = (table: string, entry: number): string => `${replayPath(table)}#${entry}`;

/** The entry that such a link names; 0, the beginning, where it names none. */
export function linkedEntry(): number {
  return /^#\d{1,6}$/.test(location.hash) ? Number(location.hash.slice(1)) : 0;
}

/** Let the address name an entry of the page that is open: a copied link, a reload and Back lead to it. */
export function nameEntry(entry: number): void {
  if (unwinding) return addEventListener("popstate", () => nameEntry(entry), { once: true });
  if (sheets.length || entry === linkedEntry()) return; // the entry below a dialog's would keep the old address, and Back would lead there
  try {
    history.replaceState(history.state, "", `#${entry}`);
  } catch {
    // some browsers allow a hundred changes in half a minute: who drags along a curve makes more
  }
}

/** A link to what could have been done in a match, or at one moment of it. */
export const reviewPath = (table: string, entry: number | null = null): string => at(`/t/${table}/review`) + (entry === null ? "" : `#${entry}`);

/** A page of a match for other sites: the board and the replay, nothing else. */
export const embedPath = (table: string, entry: number): string => at(`/t/${table}/embed#${entry}`);

export function isEmbed(): boolean {
  return path.endsWith("/embed");
}

export function isReview(): boolean {
  return path.endsWith("/review");
}

export function isReplay(): boolean {
  return path.endsWith("/replay");
}

export function isMatches(): boolean {
  return path === "/matches";
}

/** The game whose lessons or rules are shown. */
export function gameAt(place: "learn" | "rules"): string | null {
  const [, where, game] = /^\/(learn|rules)\/(\w+)\/?$/.exec(path) ?? [];
  return where === place ? game! : null;
}

/** What the page of puzzles shows: all of them (""), the one of the day, one's own mistakes, or a game, and perhaps one puzzle of it. */
export function puzzleAt(): { what: string; id: string | null } | null {
  const found = /^\/puzzles(?:\/(\w+)(?:\/([\w-]+))?)?\/?$/.exec(path);
  return found && { what: found[1] ?? "", id: found[2] ?? null };
}

export function isHome(): boolean {
  return path === "/";
}

export function go(to: string): void {
  if (unwinding) return addEventListener("popstate", () => go(to), { once: true });
  if (sheets.length) history.replaceState(null, "", at(to)); // replaces the dialog's entry
  else history.pushState(null, "", at(to));
  path = within(location.pathname);
  scrollTo(0, 0);
}

/** For links inside the page: handle a plain click here, and leave all others to the browser. */
export function follow(event: MouseEvent): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  go(within(link.pathname));
}
