// The player's own formations, named and kept on this device, as red would set them up.
import { remember, remembered } from "../../lib/storage";
import { turn } from "./geometry";
import { armyText, readArmy, type Formation, type Stand } from "./formation.svelte";
import type { Side } from "./view";

interface Saved {
  name: string;
  army: string;
  /** From the ground up, by the numbers of the bricks. */
  stands: [number: number, x: number, y: number, yaw: number, up: number][];
}

const KEY = "kingbrick.formations";

export function savedFormations(): Saved[] {
  try {
    return JSON.parse(remembered(KEY) ?? "[]") as Saved[];
  } catch {
    return [];
  }
}

/** Half a turn for blue: both have their own end before them. */
const seen = (side: Side, x: number, y: number, yaw: number): [number, number, number] => (side === 1 ? [x, y, yaw] : [0 - x, 0 - y, turn(yaw + 180)]);

export function save(name: string, { side, counts, stands }: Formation): Saved[] {
  const kept: Saved = { name, army: armyText(counts), stands: stands.map(({ name: brick, x, y, yaw, up }) => [Number(brick.slice(1)), ...seen(side, x, y, yaw), up]) };
  return keep([...savedFormations().filter((other) => other.name !== name), kept]);
}

export function forget(name: string): Saved[] {
  return keep(savedFormations().filter((other) => other.name !== name));
}

function keep(all: Saved[]): Saved[] {
  remember(KEY, all.length ? JSON.stringify(all) : null);
  return all;
}

/** Sets a kept formation up, with the army that it was made for. */
export function restore({ army, stands }: Saved, formation: Formation): void {
  formation.recruit(readArmy(army));
  formation.stands = stands.flatMap(([number, ...place]): Stand[] => {
    const brick = formation.army[number - 1];
    const [x, y, yaw] = seen(formation.side, place[0], place[1], place[2]);
    return brick ? [{ ...brick, x, y, yaw, up: place[3] }] : [];
  });
}
