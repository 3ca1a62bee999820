// The keys of a board, one way for every game: arrows step, Home and End go to the ends of a row, PageUp and PageDown to those
// of a column, Enter and the space bar choose.

/** A cell of a square grid as it is drawn: counted from 0, from the upper left. */
export interface Cell {
  column: number;
  row: number;
}

/** The cell that the notation calls by a letter and a number, a1 at the lower left. */
export const cellNamed = (name: string, size: number): Cell => ({ column: name.charCodeAt(0) - 97, row: size - Number(name.slice(1)) });
export const nameOf = ({ column, row }: Cell, size: number): string => String.fromCharCode(97 + column) + (size - row);

const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Where a key leads from a cell, which is the same cell at the edge; null if the key leads nowhere. */
export function cellAfter(key: string, { column, row }: Cell, size: number): Cell | null {
  const within = (place: number): number => Math.max(0, Math.min(size - 1, place));
  const step = STEPS[key];
  if (step) return { column: within(column + step[0]), row: within(row + step[1]) };
  if (key === "Home") return { column: 0, row };
  if (key === "End") return { column: size - 1, row };
  if (key === "PageUp") return { column, row: 0 };
  return key === "PageDown" ? { column, row: size - 1 } : null;
}

/** A key without Ctrl, Alt or the like: those belong to the browser. */
export const isPlain = (event: KeyboardEvent): boolean => !event.ctrlKey && !event.metaKey && !event.altKey;

/** Does what a key asks of a grid. Returns whether the key was one of the grid's. */
export function steer(event: KeyboardEvent, at: Cell, size: number, go: (cell: Cell) => void, choose: () => void): boolean {
  if (!isPlain(event)) return false;
  const next = cellAfter(event.key, at, size);
  if (next) {
    if (next.column !== at.column || next.row !== at.row) go(next);
  } else if (event.key === "Enter" || event.key === " ") choose();
  else return false;
  event.preventDefault();
  return true;
}
