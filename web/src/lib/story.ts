// What a log tells beyond its entries.
import type { Entry } from "./protocol";

/** The entries that lead to the last one. A takeback names the one that the match goes on from. */
export function standing(entries: Entry[]): Entry[] {
  const line: Entry[] = [];
  let n = entries.length;
  while (n > 0) {
    const entry = entries[n - 1]!;
    const back = entry.by === 0 ? /^takeback (\d+)$/.exec(entry.move) : null;
    if (back) n = Number(back[1]);
    else {
      line.push(entry);
      n -= 1;
    }
  }
  return line.reverse();
}

/** The entries that scored most, best first, the earlier of equals first. */
export function bestMoves(line: Entry[], count = 3): Entry[] {
  return line
    .filter((entry) => entry.by > 0 && (entry.score ?? 0) > 1)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.n - b.n)
    .slice(0, count);
}

/** The points of every seat after each entry that scored: one row a seat, all of the same length. */
export function race(line: Entry[], seats: number): number[][] {
  const rows = Array.from({ length: seats }, () => [0]);
  for (const entry of line) {
    if (entry.score == null) continue;
    rows.forEach((row, k) => row.push(row.at(-1)! + (entry.by === k + 1 ? entry.score! : 0)));
  }
  return rows;
}
