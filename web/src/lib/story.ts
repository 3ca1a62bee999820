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

/** The entries that scored most for those who made them, best first, the earlier of equals first. */
export function bestMoves(line: Entry[], scoreOf: (entry: Entry) => number, count = 3): Entry[] {
  return line
    .filter((entry) => scoreOf(entry) > 1)
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a.n - b.n)
    .slice(0, count);
}

/** The points of every seat after each entry that scored: one row a seat, all of the same length. */
export function race(line: Entry[], seats: number, earned: (entry: Entry) => number[]): number[][] {
  const rows = Array.from({ length: seats }, () => [0]);
  for (const entry of line) {
    if (entry.score == null) continue;
    const points = earned(entry);
    rows.forEach((row, k) => row.push(row.at(-1)! + (points[k] ?? 0)));
  }
  return rows;
}
