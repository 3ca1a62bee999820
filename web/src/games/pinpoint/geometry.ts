// The places of the holes in the drawing, and the types of the view and the legal moves.
import type { Colour } from "../../lib/colours";

/** A hole's letter in a view: empty, a colour, or a black end. */
export type Letter = Colour | "." | "K";

export interface View {
  board: string;
  jokers_shown: string[];
  turn: number | null;
  hand: Colour[];
  points: number[];
  totals: number[];
  jokers: number[];
  turns_left: number;
}

export interface Legal {
  pins: Colour[];
  holes: string[];
  joker: boolean;
  /** By colour, for each of the holes above: the letter of the figure that a pin would make, or a dot for a single pin. */
  figures: Partial<Record<Colour, string>>;
  /** The name and the points of each letter. */
  worth: Record<string, [name: string, points: number]>;
}

/** What a pin would score in a hole: the name of its figure, and its points. */
export interface Worth {
  figure: string;
  points: number;
}

export function worthOf(legal: Legal, colour: Colour, hole: string): Worth {
  const letter = legal.figures[colour]?.[legal.holes.indexOf(hole)] ?? ".";
  const [figure, points] = legal.worth[letter] ?? ["single", 1];
  return { figure, points };
}

export const SIZE = 10;
export const STEP = 40;
export const MARGIN = 38;
export const WIDE = MARGIN * 2 + STEP * (SIZE - 1);
export const LINES = [0, 3, 6, 9]; // the grid lines run through these rows and columns
export const COLUMNS = "abcdefghij";
export const HOLES = Array.from({ length: SIZE * SIZE }, (_, k) => COLUMNS[k % SIZE]! + (Math.floor(k / SIZE) + 1));

export const along = (k: number): number => MARGIN + k * STEP;
export const columnOf = (hole: string): number => hole.charCodeAt(0) - 97;
export const rowOf = (hole: string): number => Number(hole.slice(1)) - 1;
export const xOf = (hole: string): number => along(columnOf(hole));
export const yOf = (hole: string): number => along(SIZE - 1 - rowOf(hole));

/** Return the hole at this distance in columns and rows, or null beyond the edge. */
export function away(hole: string, columns: number, rows: number): string | null {
  const column = columnOf(hole) + columns;
  const row = rowOf(hole) + rows;
  return column < 0 || row < 0 || column >= SIZE || row >= SIZE ? null : HOLES[row * SIZE + column]!;
}

/** Return the colour that a pin counts as: a joker's announced colour (`R=Ge5`), or the pin's own. */
export function colourOfMove(move: string): Colour {
  return (/^[RYGB]=([RYGB])/.exec(move)?.[1] ?? move[0]) as Colour;
}

/** Return a path through a figure's holes. A broad stroke with round ends gives it the figure's shape. */
export function outline(holes: string[]): string {
  const pairs = holes.flatMap((hole, k) => holes.slice(k + 1).map((other) => [hole, other] as const));
  const beside = pairs.filter(([one, other]) => apart(one, other) === 1);
  const askew = pairs.filter(([one, other]) => apart(one, other) === 2);
  const joints = beside.length === 0 || beside.length === holes.length ? [...beside, ...askew] : beside; // a diagonal, or a square
  const drawn = joints.map(([one, other]) => `M${xOf(one)} ${yOf(one)}L${xOf(other)} ${yOf(other)}`);
  return drawn.length ? drawn.join("") : holes.map((hole) => `M${xOf(hole)} ${yOf(hole)}h.01`).join("");
}

/** Return the square of the distance between two holes, in holes. */
function apart(one: string, other: string): number {
  return (columnOf(one) - columnOf(other)) ** 2 + (rowOf(one) - rowOf(other)) ** 2;
}
