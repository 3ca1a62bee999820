// Where in the page we are: the shelf, a table or its replay, or my matches.

let path = $state(location.pathname);
addEventListener("popstate", () => (path = location.pathname));

export function currentTable(): string | null {
  return /^\/t\/([\w-]+)(\/|\/replay)?$/.exec(path)?.[1] ?? null;
}

/** A link that shows a match from its beginning. */
export const replayPath = (table: string): string => `/t/${table}/replay`;

export function isReplay(): boolean {
  return path.endsWith("/replay");
}

export function isMatches(): boolean {
  return path === "/matches";
}

export function isHome(): boolean {
  return path === "/";
}

export function go(to: string): void {
  history.pushState(null, "", to);
  path = location.pathname;
  scrollTo(0, 0);
}

/** For links inside the page: a plain click stays, anything else is the browser's. */
export function follow(event: MouseEvent): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  go(link.pathname);
}
