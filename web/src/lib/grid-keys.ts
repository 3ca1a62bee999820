// The keys of a board, the same in every game: arrows step, Home and End go to the ends of a row, PageUp and PageDown to the
// ends of a column, Enter and the space bar choose.

/** A cell of a grid as it is drawn: counted from 0, from the upper left. */
export interface Cell {
  column: number;
  row: number;
}

/** The size of a grid; a number is that of a square one. */
export type Size = number | { columns: number; rows: number };

const columnsOf = (size: Size): number => (typeof size === "number" ? size : size.columns);
const rowsOf = (size: Size): number => (typeof size === "number" ? size : size.rows);

/** Return the cell that the notation names by a letter and a number; a1 is at the lower left. */
export const cellNamed = (name: string, size: Size): Cell => ({ column: name.charCodeAt(0) - 97, row: rowsOf(size) - Number(name.slice(1)) });
export const nameOf = ({ column, row }: Cell, size: Size): string => String.fromCharCode(97 + column) + (rowsOf(size) - row);

const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return the cell to which a key leads: the same cell at the edge, null if the key does not move the cursor. */
export function cellAfter(key: string, { column, row }: Cell, size: Size): Cell | null {
  const [lastColumn, lastRow] = [columnsOf(size) - 1, rowsOf(size) - 1];
  const step = STEPS[key];
  if (step) return { column: Math.max(0, Math.min(lastColumn, column + step[0])), row: Math.max(0, Math.min(lastRow, row + step[1])) };
  if (key === "Home") return { column: 0, row };
  if (key === "End") return { column: lastColumn, row };
  if (key === "PageUp") return { column, row: 0 };
  return key === "PageDown" ? { column, row: lastRow } : null;
}

/** Return whether a key is pressed without Ctrl, Alt or Meta: those combinations belong to the browser. */
export const isPlain = (event: KeyboardEvent): boolean => !event.ctrlKey && !event.metaKey && !event.altKey;

/** Carry out a key of a grid. Return whether it was one. */
export function steer(event: KeyboardEvent, at: Cell, size: Size, go: (cell: Cell) => void, choose: () => void): boolean {
  if (!isPlain(event)) return false;
  const next = cellAfter(event.key, at, size);
  if (next) {
    if (next.column !== at.column || next.row !== at.row) go(next);
  } else if (event.key === "Enter" || event.key === " ") choose();
  else return false;
  event.preventDefault();
  return true;
}

/** Return whether keys moved the focus to a cell. A closed dialog also returns the focus, from nowhere: nobody chose that cell. */
export function isSteered(event: FocusEvent): boolean {
  return event.relatedTarget !== null && (event.target as Element).matches(":focus-visible");
}
