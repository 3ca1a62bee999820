// The player's own formations, kept on this device as red would set them up: those with a name, and those of the last matches.
import { remember, remembered } from "../../lib/storage";
import { turn } from "./geometry";
import { armyText, readArmy, type Formation, type Stand } from "./formation.svelte";
import type { Kind, Side } from "./view";

interface SetUp {
  army: string;
  /** From the ground up, by the numbers of the bricks. */
  stands: [number: number, x: number, y: number, yaw: number, up: number][];
}
interface Saved extends SetUp {
  name: string;
}
/** What was set up at a table on this device, by side. */
type Match = { table: string } & Partial<Record<Side, SetUp>>;

const [KEY, LAST] = ["kingbrick.formations", "kingbrick.last"];

function list<T>(key: string): T[] {
  try {
    return JSON.parse(remembered(key) ?? "[]") as T[];
  } catch {
    return [];
  }
}

export const savedFormations = (): Saved[] => list<Saved>(KEY);

/** Half a turn for blue: both have their own end before them. */
const seen = (side: Side, x: number, y: number, yaw: number): [number, number, number] => (side === 1 ? [x, y, yaw] : [0 - x, 0 - y, turn(yaw + 180)]);

function written({ side, counts, stands }: Formation): SetUp {
  return { army: armyText(counts), stands: stands.map(({ name: brick, x, y, yaw, up }) => [Number(brick.slice(1)), ...seen(side, x, y, yaw), up]) };
}

export function save(name: string, formation: Formation): Saved[] {
  return keep([...savedFormations().filter((other) => other.name !== name), { name, ...written(formation) }]);
}

export function forget(name: string): Saved[] {
  return keep(savedFormations().filter((other) => other.name !== name));
}

function keep(all: Saved[]): Saved[] {
  remember(KEY, all.length ? JSON.stringify(all) : null);
  return all;
}

/** Remembers what is set up at a table, for the next match. */
export function rememberSetUp(table: string, formation: Formation): void {
  const matches = list<Match>(LAST);
  const now = matches.find((match) => match.table === table) ?? { table };
  const before = matches.find((match) => match.table !== table);
  remember(LAST, JSON.stringify([{ ...now, [formation.side]: written(formation) }, ...(before ? [before] : [])]));
}

/** What the player on a side set up in the match before. A table does not show what was set up at it: two players may share the
 * device. They change sides from match to match. */
export function lastSetUp(table: string, side: Side): SetUp | null {
  const before = list<Match>(LAST).find((match) => match.table !== table);
  return before?.[side === 1 ? 2 : 1] ?? before?.[side] ?? null;
}

/** Whether the army can be built where these limits hold. */
export function canRestore({ army }: SetUp, { kinds }: Formation): boolean {
  return (Object.keys(readArmy(army)) as Kind[]).every((kind) => kinds[kind]);
}

/** Sets a kept formation up, with the army that it was made for. */
export function restore({ army, stands }: SetUp, formation: Formation): void {
  formation.recruit(readArmy(army));
  formation.stands = stands.flatMap(([number, ...place]): Stand[] => {
    const brick = formation.army[number - 1];
    const [x, y, yaw] = seen(formation.side, place[0], place[1], place[2]);
    return brick ? [{ ...brick, x, y, yaw, up: place[3] }] : [];
  });
}
