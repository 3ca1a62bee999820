// The view and the legal moves of Connect Four as the server sends them, and the names of the cells.
export interface View {
  /** By cell, a1 first: "1" or "2" for the seat whose disc lies there, "." for none. */
  board: string;
  turn: number | null;
  /** The cells of the line that won. */
  line: string[];
}

export interface Legal {
  columns: string[];
}

export const COLUMNS = ["a", "b", "c", "d", "e", "f", "g"];
export const ROWS = [6, 5, 4, 3, 2, 1]; // from the top
export const SIZE = { columns: COLUMNS.length, rows: ROWS.length };

export const discAt = (view: View, cell: string): string => view.board[(Number(cell[1]) - 1) * COLUMNS.length + COLUMNS.indexOf(cell[0]!)] ?? ".";
