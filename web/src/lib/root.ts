// The path that all of our paths follow, where a proxy serves us below one: "" or "/games". The server writes it into the page.
const page = typeof document === "undefined" ? null : document; // tests of modules run without one
export const root: string = page?.querySelector<HTMLMetaElement>('meta[name="root"]')?.content ?? "";

/** An address of ours, for a link. */
export const at = (path: string): string => root + path;

/** A path of the browser without the root. */
export function within(path: string): string {
  return root && (path === root || path.startsWith(root + "/")) ? path.slice(root.length) || "/" : path;
}
