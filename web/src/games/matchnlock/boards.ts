// Boards for pictures: tokens named `c4:BGYR/15`, with a `!` if they are locked.
import type { Lying } from "./geometry";

export function boardOf(tokens: string): Record<string, Lying> {
  return Object.fromEntries(
    tokens.split(" ").map((token) => {
      const [hole, wedges, value] = token.split(/[:/]/) as [string, string, string];
      return [hole.slice(0, 2), { wedges, value: Number(value), locked: hole.endsWith("!") }];
    }),
  );
}
