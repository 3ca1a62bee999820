// What the server and the page say to each other: docs/protocol.md.

export interface Message {
  key: string;
  params?: Record<string, Value>;
}
export type Value = string | number | Message | Message[];

export type OptionValue = string | number | boolean | null;
export type Agreed = Record<string, OptionValue>;

export interface Option {
  name: string;
  default: OptionValue;
  choices: OptionValue[];
  least: number | null;
  most: number | null;
}

export interface GameListed {
  key: string;
  name: string;
  options: Option[];
  bots: string[];
}

export type SeatWanted = { for: "me" } | { for: "anyone" } | { for: "bot"; bot: string };

export interface Seat {
  seat: number;
  name: string | null;
  bot: string | null;
  taken: boolean;
  here: boolean;
  mine: boolean;
  /** Kept free for somebody. */
  reserved: "you" | "other" | null;
}

export interface Entry {
  n: number;
  by: number;
  move: string;
  t?: number | null;
  score?: number | null;
  message: Message;
  marks?: Record<string, unknown>;
}

export interface Result {
  winners: number[];
  scores: number[];
  reason: string;
}

export interface Seal {
  match: string;
  commitment: string;
  bytes: (string | null)[];
  seed: string | null;
}

/** The position now, as every message that tells of one carries it. The view and the legal moves are the game's own. */
export interface Position {
  view: unknown;
  /** The seat with whose eyes the view is seen; null is a stranger's, also before a player at a shared device is ready. */
  eye: number | null;
  to_move: number[];
  legal: Record<string, unknown>;
  thinking: number | null;
  result: Result | null;
  takeback: number | null;
  /** Of the seat on the move, or with seat 0 of the whole match. */
  clock: { seat: number; left_ms: number } | null;
  seal: Seal | null;
}

export interface TableTold extends Position {
  type: "table";
  table: string;
  game: string;
  options: Agreed;
  link: string;
  rematch: string | null;
  seats: Seat[];
  started: boolean;
  have: number;
  entries: Entry[];
  n: number;
}

export interface EntriesTold extends Position {
  type: "entries";
  table: string;
  after: number;
  entries: Entry[];
}

export interface Done {
  type: "done";
  id: number;
  table?: string;
  view?: unknown;
  move?: string;
  after?: number;
  message?: Message;
}

export interface Refusal {
  type: "error";
  id: number | null;
  code: string;
  text: string;
  reason?: Message | null;
}

export type Told = TableTold | EntriesTold | Done | Refusal;
