// Moves in the notation: lengths and angles to a tenth, speeds to a hundredth. What was measured is told in full.
import { turn, type Spot } from "./geometry";

export interface Flick {
  brick: string;
  dir: number;
  speed: number;
  height: number;
  side: number;
  follow: number;
}

/** Write a number with at most `decimals` decimals, without a trailing zero and never as "-0". */
export function short(value: number, decimals = 1): string {
  return String(Number(value.toFixed(decimals)) + 0);
}

/** An angle as it is written: never 360. */
const angle = (value: number): string => short(Number(short(turn(value))) % 360);

export const flickText = ({ brick, dir, speed, height, side, follow }: Flick): string =>
  `flick ${brick} dir=${angle(dir)} speed=${short(speed, 2)} height=${short(height)} side=${short(side)} follow=${short(follow)}`;

const spotText = ({ x, y, yaw }: Spot): string => `x=${short(x)} y=${short(y)} yaw=${angle(yaw)}`;

export const standText = (brick: string, spot: Spot): string => `stand ${brick} ${spotText(spot)} up=${spot.up}`;
export const placeText = (brick: string, spot: Spot): string => `place ${brick} ${spotText(spot)} up=${spot.up}`;
export const freezeText = (brick: string, spot: Spot): string => `freeze ${brick} ${spotText(spot)}`;

/** Read a flick, or a brick being set down: of a hint, or of a move on its way to the server. */
export function readMove(text: string | null): { flick: Flick } | { place: string; spot: Spot } | null {
  const [verb, brick, ...rest] = (text ?? "").split(" ");
  if (!brick) return null;
  const values = Object.fromEntries(rest.map((pair) => pair.split("=")).map(([name, value]) => [name, Number(value)])) as Record<string, number>;
  const { dir = 0, speed = 0, height = 0, side = 0, follow = 0, x = 0, y = 0, yaw = 0, up = 1 } = values;
  if (verb === "flick") return { flick: { brick, dir, speed, height, side, follow } };
  return verb === "place" || verb === "freeze" ? { place: brick, spot: { x, y, yaw, up } } : null;
}

/** The film of a flick, which what was measured carries; null of any other move. */
export function filmOf(text: string | undefined): string | null {
  const measured = /^rest (.*)$/.exec(text ?? "")?.[1];
  return measured ? (JSON.parse(measured) as { motion?: string }).motion || null : null;
}
