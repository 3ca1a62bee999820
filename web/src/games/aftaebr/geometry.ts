// The places of the squares in the drawing, and the types of the view and the legal moves.

export const COLOURS = ["G", "B", "F", "O"] as const;
export type Colour = (typeof COLOURS)[number];
export const NUMBERS = [1, 2, 3, 4] as const;
export type Num = (typeof NUMBERS)[number];
/** A piece as the notation names it, `G3`; `K2` is a black one, for drawing lots. */
export type Piece = string;

export const NAME: Record<Colour, string> = { G: "green", B: "light_blue", F: "fuchsia", O: "orange" };

export interface View {
  phase: "lots" | "colours" | "turns";
  turn: number | null;
  /** The occupied squares, each with its pieces from the bottom to the top. */
  board: Record<string, Piece[]>;
  /** By seat and colour: the counts of 1, 2, 3, 4. */
  stocks: Partial<Record<Colour, number[]>>[];
  pieces: number[];
  colours: (Colour | null)[];
  lots: (number | null)[];
  out: number[];
  extra: boolean;
  /** The time of the match is over: the match ends with this round. */
  last_round: boolean;
}

export interface Legal {
  choose: Colour[];
  /** By number: its colours in stock, and the squares that take it, each with the neighbours that allow it. */
  numbers: Partial<Record<`${Num}`, { colours: Colour[]; squares: Record<string, string[]> }>>;
  pass: boolean;
}

/** The marks of an entry. Each wave of taken pieces has its squares and the pieces on top of them. */
export interface Marks {
  put?: string[];
  piece?: Piece;
  taken?: Record<string, Piece>[];
  /** The seats that are now out of the match. */
  out?: number[];
}

export const colourOf = (piece: Piece): Colour | "K" => piece[0] as Colour | "K";
export const numberOf = (piece: Piece): number => Number(piece[1]);
export const squareOfMove = (move: string): string | null => /^[GBFO][1-4]([a-f][1-6])$/.exec(move)?.[1] ?? null;

export const SIZE = 6;
export const STEP = 64;
export const MARGIN = 19;
export const WIDE = MARGIN * 2 + STEP * SIZE;
export const COLUMNS = "abcdef";
export const SQUARES = Array.from({ length: SIZE * SIZE }, (_, k) => COLUMNS[k % SIZE]! + (Math.floor(k / SIZE) + 1));
/** The rows from far to near. They are drawn in this order, since a stack covers part of the square behind it. */
export const FAR_FIRST = SQUARES.toSorted((a, b) => rowOf(b) - rowOf(a));

export function columnOf(square: string): number {
  return square.charCodeAt(0) - 97;
}
export function rowOf(square: string): number {
  return Number(square.slice(1)) - 1;
}
export const xOf = (square: string): number => MARGIN + (columnOf(square) + 0.5) * STEP;
export const yOf = (square: string): number => MARGIN + (SIZE - 0.5 - rowOf(square)) * STEP;

/** Return the square at this distance in columns and rows, or null beyond the edge. */
export function away(square: string, columns: number, rows: number): string | null {
  const column = columnOf(square) + columns;
  const row = rowOf(square) + rows;
  return column < 0 || row < 0 || column >= SIZE || row >= SIZE ? null : SQUARES[row * SIZE + column]!;
}

// The face of a piece, and how far each piece lifts the next one. High stacks are compressed, so that none reaches the square above.
export const FACE = 41;
export const FOOT = 25; // from the middle of a square down to the foot of its lowest piece
const THICK = 5;
const HIGHEST = 14;

export const thickness = (height: number): number => Math.min(THICK, HIGHEST / Math.max(1, height));
/** Return the height of a stack's top face, relative to the middle of its square. */
export const topOf = (height: number): number => FOOT - FACE / 2 - thickness(height) * height;

/** Return the lines through pieces that were taken together: neighbours with consecutive numbers. */
export function linesThrough(wave: Record<string, Piece>): string {
  const squares = Object.keys(wave);
  const steps = squares.flatMap((square) => [away(square, 1, 0), away(square, 0, 1)].map((other) => [square, other] as const));
  return steps
    .filter(([one, other]) => other !== null && other in wave && Math.abs(numberOf(wave[one]!) - numberOf(wave[other]!)) === 1)
    .map(([one, other]) => `M${xOf(one)} ${yOf(one)}L${xOf(other!)} ${yOf(other!)}`)
    .join("");
}

/** Return how many pieces of every number a stock has, in all colours. */
export function byNumber(stock: Partial<Record<Colour, number[]>>): number[] {
  return NUMBERS.map((number) => COLOURS.reduce((sum, colour) => sum + (stock[colour]?.[number - 1] ?? 0), 0));
}
