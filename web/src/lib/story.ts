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

/** The points of a player, or of a team together, after each entry that scored. */
export interface Course {
  /** The seat whose colour the line has. */
  seat: number;
  points: number[];
}

/** Return a course for every side, all of the same length. A side is a list of seats: a player, or the partners of a team. */
export function race(line: Entry[], sides: number[][], earned: (entry: Entry) => number[]): Course[] {
  const courses = sides.map((seats) => ({ seat: seats[0]!, points: [0] }));
  for (const entry of line) {
    if (entry.score == null) continue;
    const points = earned(entry);
    courses.forEach((course, k) => course.points.push(course.points.at(-1)! + sides[k]!.reduce((sum, seat) => sum + (points[seat - 1] ?? 0), 0)));
  }
  return courses;
}

/** Return the seat that moved after an entry of the line, if one did: it was to move there. */
export function moverAfter(line: readonly Entry[], entry: number): number | null {
  return line.find(({ n, by }) => n > entry && by > 0)?.by ?? null;
}
