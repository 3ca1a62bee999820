// What follows from a log: the entries that stand, the best moves, the course of the points.
import type { Entry } from "./protocol";

/** Return the entries that lead to the last one. A takeback names the entry from which the match goes on. */
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

/** Return the entries that scored most for their own seat, best first; of equal entries the earlier first. */
export function bestMoves(line: Entry[], scoreOf: (entry: Entry) => number, count = 3): Entry[] {
  return line
    .filter((entry) => scoreOf(entry) > 1)
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a.n - b.n)
    .slice(0, count);
}

/** Return the points of every seat after each entry that scored: one row for each seat, all of the same length. */
export function race(line: Entry[], seats: number, earned: (entry: Entry) => number[]): number[][] {
  const rows = Array.from({ length: seats }, () => [0]);
  for (const entry of line) {
    if (entry.score == null) continue;
    const points = earned(entry);
    rows.forEach((row, k) => row.push(row.at(-1)! + (points[k] ?? 0)));
  }
  return rows;
}

/** Return the seat that moved after an entry of the line, if one did: it was to move there. */
export function moverAfter(line: readonly Entry[], entry: number): number | null {
  return line.find(({ n, by }) => n > entry && by > 0)?.by ?? null;
}
