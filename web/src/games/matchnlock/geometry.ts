// Where holes and circles lie in the drawing, as seen from each side of the board, and the types of a view.
import type { Colour } from "../../lib/colours";

export type Wedge = Colour | "*";

export interface Token {
  /** NE, SE, SW, NW, as south sees them. */
  wedges: string;
  value: number;
}
export interface Lying extends Token {
  locked: boolean;
}
export interface Circle {
  /** Named by its lower left hole. */
  circle: string;
  holes: string[];
  colour: Colour;
  points: number;
}

export interface View {
  board: Record<string, Lying>;
  locks: Record<string, Colour>;
  points: Record<Colour, number>;
  locks_left: Record<Colour, number>;
  totals: number[];
  seats: { side: Side; colour: Colour }[];
  turn: number | null;
  in_hand: Token | null;
  bag: string[];
  stalemate: { hole: string; clockwise: number[]; anticlockwise: number[] } | null;
  must_draw: boolean;
  idle_turns_left: number | null;
  holes_left: number;
}

export interface Legal {
  draw: boolean;
  place: string[];
  rotate: string[];
  stalemate: string[];
  /** The circles that each move would close, by the move's text. */
  closes: Record<string, Circle[]>;
}

export interface Marks {
  did?: "place" | "clockwise" | "anticlockwise" | "declare" | "replace" | "drawn" | "lots";
  hole?: string;
  closed?: Circle[];
}

export type Side = (typeof SIDES)[number];
export const SIDES = ["south", "west", "north", "east"] as const;
/** The order in which seats get their colours. */
export const LETTERS: Colour[] = ["B", "G", "Y", "R"];

export const SIZE = 8;
export const STEP = 60;
export const MARGIN = 47;
export const WIDE = MARGIN * 2 + STEP * (SIZE - 1);
export const COLUMNS = "abcdefgh";
export const HOLES = Array.from({ length: SIZE * SIZE }, (_, k) => COLUMNS[k % SIZE]! + (Math.floor(k / SIZE) + 1));

export const along = (k: number): number => MARGIN + k * STEP;
export const columnOf = (hole: string): number => hole.charCodeAt(0) - 97;
export const rowOf = (hole: string): number => Number(hole.slice(1)) - 1;

/** Return where a player at another side sees a point. Points count holes from the top left, as south sees them. */
function seenFrom(side: number, x: number, y: number): [number, number] {
  return side === 0 ? [x, y] : seenFrom(side - 1, y, SIZE - 1 - x);
}

export interface Point {
  x: number;
  y: number;
}

function drawn(side: number, x: number, y: number): Point {
  const [column, row] = seenFrom(side, x, y);
  return { x: along(column), y: along(row) };
}

export const pointOf = (hole: string, side: number): Point => drawn(side, columnOf(hole), SIZE - 1 - rowOf(hole));
export const centreOf = (circle: string, side: number): Point => drawn(side, columnOf(circle) + 0.5, SIZE - 1.5 - rowOf(circle));

/** Return the hole in a column and a row of the drawing, both counted from the top left. */
export function holeAt(column: number, row: number, side: number): string {
  const [x, y] = seenFrom((4 - side) % 4, column, row);
  return COLUMNS[x]! + (SIZE - y);
}

/** Return the labels under a column of the drawing and beside a row. */
export const nameUnder = (column: number, side: number): string => nameOn(holeAt(column, SIZE - 1, side), side);
export const nameBeside = (row: number, side: number): string => nameOn(holeAt(0, row, side), side + 1);
const nameOn = (hole: string, side: number): string => (side % 2 ? hole.slice(1) : hole[0]!);

/** Return the wedges after this number of quarter turns clockwise. */
export function turned(wedges: string, quarters: number): string {
  const by = ((quarters % 4) + 4) % 4;
  return wedges.slice(4 - by) + wedges.slice(0, 4 - by);
}

/** Return the wedges as they look from a side. */
export const seen = (wedges: string, side: number): string => turned(wedges, -side);

/** A move in a hole: the hole, and the direction of its rotation (0: it places a token). */
export function readMove(text: string | null): { hole: string; quarters: -1 | 0 | 1 } | null {
  const found = /^([a-h][1-8])([+-]?)$/.exec(text ?? "");
  return found && { hole: found[1]!, quarters: found[2] === "+" ? 1 : found[2] === "-" ? -1 : 0 };
}

/** A token of the bag: `t17:BGYR/20`. */
export function readToken(text: string): Token {
  const [wedges, value] = text.slice(text.indexOf(":") + 1).split("/");
  return { wedges: wedges!, value: Number(value) };
}

/** The seat that owns a colour, or null. */
export function ownerOf(view: View, colour: Colour): number | null {
  return view.seats.findIndex((seat) => seat.colour === colour) + 1 || null;
}

/** The colours that somebody owns, in the order of the seats, and then the others. */
export const inOrder = (view: View): Colour[] => [...new Set([...view.seats.map((seat) => seat.colour), ...LETTERS])];

/** In the one-player game: return the points of the player's colour, and of the three others together. */
export function standingAlone(view: View): { mine: number; others: number } {
  const mine = view.totals[0]!;
  return { mine, others: Object.values(view.points).reduce((sum, points) => sum + points, -mine) };
}

/** Return the colours of the seats after one seat takes another colour. The seat that had it gets the old colour. */
export function swapped(colours: Colour[], seat: number, colour: Colour): Colour[] {
  return colours.map((one, k) => (k === seat ? colour : one === colour ? colours[seat]! : one));
}
