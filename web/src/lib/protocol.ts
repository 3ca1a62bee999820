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
  /** The level to offer first; also the one that stands in for an absent player. */
  usual_bot: string | null;
  /** There are lessons. */
  lessons: boolean;
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
  /** Nobody of that seat is here, and for how long that has been so. */
  away: boolean;
  gone_ms: number | null;
  /** A bot plays for it, or the opponents may let one. */
  standin: boolean;
  can_stand_in: boolean;
  /** Milliseconds until the absence of this opponent counts, and the match can be claimed. */
  claim_in_ms: number | null;
  /** It has resigned or lost by a claim: a bot plays on, and its person cannot come back. */
  out: boolean;
}

/** The clock that a table agrees on: so long for every turn, or a bank for the whole match. In seconds. */
export type ClockWanted = { turn: number } | { bank: number; increment: number };

/** The settings of a table beside its game's options: listed in the lobby, a clock, a delay for spectators, free chat. */
export interface TableSettings {
  open: boolean;
  clock: ClockWanted | null;
  delay: number;
  chat: boolean;
}

/** The clocks as of the message that carried them. Of kind match there is the time of the match alone. */
export interface Clock {
  kind: "turn" | "bank" | "match";
  /** The seats whose time runs; 0 is the time of the match. */
  running: number[];
  /** Milliseconds until the time of the seat on the move starts: so long the page may show what others did. */
  starts_in: number;
  left: (number | null)[];
  /** What is left of the time of the match. */
  match: number | null;
  /** The seats whose time ran out. */
  late: number[];
}

export const PHRASES = ["hello", "good_luck", "have_fun", "nice_move", "well_played", "oops", "thanks", "sorry", "one_moment", "rematch", "good_bye"] as const;
export type Phrase = (typeof PHRASES)[number];

export interface Said {
  n: number;
  seat: number;
  name: string;
  phrase?: Phrase | null;
  text?: string | null;
  at: number;
}

export interface Entry {
  n: number;
  by: number;
  move: string;
  t?: number | null;
  /** Milliseconds on the mover's clock. */
  left?: number | null;
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
  /** What each seat committed itself to; null for bots. Matches of the first format have none. */
  commits?: (string | null)[] | null;
  /** Null until they are shown; "" if that was never. */
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
  /** How far back one may go: at once, or when the others agree. */
  takeback: { target: number; free: boolean } | null;
  asked: { what: "takeback"; seat: number; target: number; yes: number[] } | null;
  /** The seat whose offer of a draw stands, and those that took it. */
  offer: number | null;
  accepted: number[];
  can_draw: boolean;
  /** An opponent is late, or was away for too long: the match can be claimed. */
  claimable: boolean;
  clock: Clock | null;
  /** How many watch without a seat. */
  watching: number;
  seal: Seal | null;
}

export interface TableMessage extends Position {
  type: "table";
  table: string;
  game: string;
  options: Agreed;
  link: string;
  rematch: string | null;
  /** This guest made the table. */
  creator: boolean;
  open: boolean;
  /** Nobody new may sit down, and whether this guest counts as new. */
  closed: boolean;
  newcomer: boolean;
  chat: boolean;
  delay: number;
  agreed_clock: ClockWanted | null;
  said: Said[];
  seats: Seat[];
  started: boolean;
  have: number;
  entries: Entry[];
  n: number;
}

export interface EntriesMessage extends Position {
  type: "entries";
  table: string;
  after: number;
  entries: Entry[];
}

export interface SaidMessage extends Said {
  type: "said";
  table: string;
}

/** The host gave up a table that waited. */
export interface CancelledMessage {
  type: "cancelled";
  table: string;
}

/** To the one who asked: another seat did not agree, or moved on. */
export interface DeclinedMessage {
  type: "declined";
  table: string;
  what: "takeback";
  seat: number;
  by: number;
}

export interface LobbyTable {
  table: string;
  game: string;
  options: Agreed;
  clock: ClockWanted | null;
  seats: { name: string | null; bot: string | null; taken: boolean }[];
  free: number;
  age_ms: number;
}

export interface LobbyMessage {
  type: "lobby";
  tables: LobbyTable[];
}

/** A table of this guest's, as GET /api/me/tables lists it. */
export interface MyTable {
  table: string;
  game: string;
  options: Agreed;
  seats: { seat: number; name: string | null; bot: string | null; mine: boolean }[];
  state: "waiting" | "running" | "over";
  your_turn: boolean;
  n: number;
  result: Result | null;
  /** Milliseconds since the epoch. */
  changed: number;
  /** Listed in the lobby while somebody waits there. */
  open: boolean;
  /** This guest made it. */
  creator: boolean;
}

/** A record, as far as the page reads it: docs/notation.md. */
export interface MatchRecord {
  log: { by: number; move: string; picks?: [number, number][] }[];
  seal?: Seal | null;
}

/** An entry of the table in a finished match, and what each of its draws chose from: [the entry as it would read, weight]. */
export interface TableEntry {
  n: number;
  why: "chance" | "measured" | "table";
  draws?: [string, number][][];
}

export interface DrawsOfMatch {
  entries: TableEntry[];
}

/** A step of a game's lessons, as GET /api/lessons/{game} tells it. */
export interface StepShown {
  id: string;
  seat: number;
  options: Agreed;
  entries: Entry[];
  view: unknown;
  legal: unknown;
  /** A right move for each task. */
  shown: string[];
}

export interface CourseShown {
  steps: StepShown[];
  /** What is agreed for the first match after the lessons. */
  match: Agreed;
}

/** What the rules say to a learner's move. */
export interface Judged {
  right: boolean;
  reason: Message | null;
  made: { entry: Entry; view: unknown }[];
  legal: unknown;
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

/** What the server sends without being asked. */
export type Broadcast = TableMessage | EntriesMessage | SaidMessage | CancelledMessage | DeclinedMessage | LobbyMessage;
export type ServerMessage = Broadcast | Done | Refusal;
