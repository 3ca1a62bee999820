// What a match was: bricks lost, fouls, the hardest hit and the longest shot, read from its entries and their films.
import type { Entry } from "../../lib/protocol";
import { readMotion, type Motion } from "./motion";
import { filmOf } from "./notation";
import type { Marks, View } from "./view";

/** A flick that stands out, by whom, and how much: in m/s or mm. */
export interface Feat {
  seat: number;
  brick: string;
  /** The brick that was hit. */
  target: string;
  much: number;
}

export interface Summary {
  /** By seat. */
  lost: [number, number];
  fouls: [number, number];
  flicks: [number, number];
  hardest: Feat | null;
  longest: Feat | null;
}

interface Filmed {
  seat: number;
  brick: string;
  film: string;
  isFoul: boolean;
}

export async function summarize(view: View, line: Entry[]): Promise<Summary> {
  const flicks = filmed(line);
  const both = (count: (seat: number) => number): [number, number] => [count(1), count(2)];
  const hits = (await Promise.all(flicks.map(async (flick) => hitOf(flick, await readMotion(flick.film))))).flat();
  const most = (key: "speed" | "far"): Feat | null => {
    const best = hits.reduce<(typeof hits)[number] | null>((top, hit) => (top && top[key] >= hit[key] ? top : hit), null);
    return best && { seat: best.seat, brick: best.brick, target: best.target, much: best[key] };
  };
  return {
    lost: both((seat) => view.bricks.filter(({ side, where }) => side === seat && where === "out").length),
    fouls: both((seat) => flicks.filter((flick) => flick.seat === seat && flick.isFoul).length),
    flicks: both((seat) => flicks.filter((flick) => flick.seat === seat).length),
    hardest: most("speed"),
    longest: most("far"),
  };
}

/** The flicks of a match, each with the film that the table made of it. */
export function filmed(line: Entry[]): Filmed[] {
  const found: Filmed[] = [];
  let last: { seat: number; brick: string } | null = null;
  for (const { by, move, marks } of line) {
    const { brick = "", infraction } = (marks ?? {}) as Marks;
    if (move.startsWith("flick ")) last = { seat: by, brick };
    const film = filmOf(move);
    if (!film || !last) continue;
    found.push({ ...last, film, isFoul: Boolean(infraction) });
    last = null;
  }
  return found;
}

/** The first brick of the other side that a flick hit: how fast it became, and how far away it lay. */
export function hitOf({ seat, brick }: Pick<Filmed, "seat" | "brick">, motion: Motion): (Omit<Feat, "much"> & { speed: number; far: number })[] {
  const start = motion.poseAt(brick, 0);
  const others = [...motion.tracks.keys()].filter((name) => name[0] !== (seat === 1 ? "r" : "b"));
  const first = others.reduce<string | null>((best, name) => (best && motion.leaves(best) <= motion.leaves(name) ? best : name), null);
  if (!start || !first || motion.leaves(first) === Infinity) return [];
  const lay = motion.poseAt(first, 0)!;
  return [{ seat, brick, target: first, speed: motion.fastest(first), far: Math.hypot(lay[0]! - start[0]!, lay[1]! - start[1]!) }];
}
