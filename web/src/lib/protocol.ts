// The messages between server and page: docs/protocol.md.

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
  /** The level to offer first. It also stands in for an absent player. */
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
  /** Reserved for a guest. */
  reserved: "you" | "other" | null;
  /** No client of this seat is connected, and for how long. */
  away: boolean;
  gone_ms: number | null;
  /** A bot plays for the seat, or the opponents may ask for one. */
  standin: boolean;
  can_stand_in: boolean;
  /** Milliseconds until the match can be claimed because this opponent is away. */
  claim_in_ms: number | null;
  /** The seat has resigned or lost by a claim: a bot plays on, and its player cannot come back. */
  out: boolean;
}

/** The clock that a table agrees on, in seconds: a time for every turn, or a bank for the whole match. */
export type ClockWanted = { turn: number } | { bank: number; increment: number };

/** The settings of a table beside its game's options: listed in the lobby, a clock, a delay for spectators, free chat. */
export interface TableSettings {
  open: boolean;
  clock: ClockWanted | null;
  delay: number;
  chat: boolean;
}

/** The clocks at the time of the message. Kind `match` has only the time of the match. */
export interface Clock {
  kind: "turn" | "bank" | "match";
  /** The seats whose time runs; 0 is the time of the match. */
  running: number[];
  /** Milliseconds until the clock of the seat to move starts: until then the page may show others' moves. */
  starts_in: number;
  left: (number | null)[];
  /** Time left of the match. */
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
  /** The commitment of each seat; null for bots. Matches of the first format have none. */
  commits?: (string | null)[] | null;
  /** Null until they are shown; "" if they were never shown. */
  bytes: (string | null)[];
  seed: string | null;
}

/** The position that a match began from: so many entries come from another match, which is named at the end. */
export interface Given {
  entries: number;
  match: string | null;
  entry: number | null;
}

/** The current position, in every message that has one. The game defines the view and the legal moves. */
export interface Position {
  view: unknown;
  /** The seat for which the view was made. Null is a spectator's view, also before a player at a shared device is ready. */
  eye: number | null;
  to_move: number[];
  legal: Record<string, unknown>;
  thinking: number | null;
  hurried: string | null; // the weaker level that the bot thinks at, while many wait
  result: Result | null;
  /** The entry to which a takeback goes: at once, or if the others agree. */
  takeback: { target: number; free: boolean } | null;
  asked: { what: "takeback"; seat: number; target: number; yes: number[] } | null;
  /** The seat whose offer of a draw stands, and the seats that accepted it. */
  offer: number | null;
  accepted: number[];
  /** Hints: whether this guest may ask for them, because nobody else plays (`free`) or all agreed; the seats that agree. */
  hints: { free: boolean; on: boolean; agreed: number[] } | null;
  can_draw: boolean;
  /** The match can be claimed: an opponent ran out of time, or was away for too long. */
  claimable: boolean;
  clock: Clock | null;
  /** The number of spectators. */
  watching: number;
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
  /** The table is closed to new guests, and whether this guest is new. */
  closed: boolean;
  newcomer: boolean;
  chat: boolean;
  delay: number;
  agreed_clock: ClockWanted | null;
  given: Given | null;
  /** The match was played elsewhere, and somebody uploaded its record. */
  uploaded: boolean;
  said: Said[];
  seats: Seat[];
  started: boolean;
  have: number;
  entries: Entry[];
  n: number;
  seal: Seal | null;
}

export interface EntriesMessage extends Position {
  type: "entries";
  table: string;
  after: number;
  entries: Entry[];
  /** Left out while the match runs: it stays as it was. */
  seal?: Seal | null;
}

export interface SaidMessage extends Said {
  type: "said";
  table: string;
}

/** The host closed a table before its match began. */
export interface CancelledMessage {
  type: "cancelled";
  table: string;
}

/** To the player who asked: another seat refused, or made a move. */
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

/** A table of this guest, as GET /api/me/tables lists it. */
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
  /** Listed in the lobby until the match begins. */
  open: boolean;
  /** This guest made it. */
  creator: boolean;
}

/** The fields of a record that the page reads: docs/notation.md. */
export interface MatchRecord {
  log: { by: number; move: string; picks?: [number, number][] }[];
  seal?: Seal | null;
  given?: Given;
  /** The public key of the server that vouches for the record, and its signature, in hex. */
  signature?: { key: string; value: string };
}

/** An entry of the table in a finished match, and the choices of each of its draws: [the entry with that outcome, weight]. */
export interface TableEntry {
  n: number;
  why: "chance" | "measured" | "table" | "given";
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

/** An entry, and the position after it. */
export interface Told {
  entry: Entry;
  view: unknown;
}

/** A puzzle without its answer, as GET /api/puzzles/... tells it. */
export interface PuzzleShown {
  game: string;
  id: string;
  seat: number;
  /** win, score, defend, plan, mistake, or the game's own word. */
  kind: string;
  /** How many moves it asks for. */
  moves: number;
  rating: number | null;
  /** Of the puzzle of the day: days since 1970. */
  day: number | null;
  /** What one did instead, in a match of one's own. */
  played: Message | null;
  /** Physics decides: the chances are those of a shot to succeed. */
  measured: boolean;
  options: Agreed;
  entries: Entry[];
  view: unknown;
  legal: unknown;
}

export type PuzzleVerdict = "right" | "nearly" | "wrong";

/** What a move in a puzzle leads to. Without a verdict it was refused, or there is more to find. */
export interface PuzzleJudged {
  verdict: PuzzleVerdict | null;
  reason: Message | null;
  made: Told[];
  legal: unknown;
  /** The chance to win after the best move, and what any other one leaves at most; or those of a shot to succeed. */
  best: number | null;
  most: number | null;
  solution: Told[];
  rating: number | null;
  streak: number | null;
}

/** What a move that is not the best one is worth, and how it may go on. */
export interface PuzzleReply {
  chance: number;
  line: Told[];
}

export interface PuzzleStanding {
  game: string;
  puzzles: number;
  rating: number;
  tried: number;
  solved: number;
}

export interface PuzzlesListed {
  games: PuzzleStanding[];
  day: { day: number; game: string; id: string; verdict: PuzzleVerdict | null } | null;
  streak: number;
  longest: number;
  /** Mistakes of one's own that are due. */
  mistakes: number;
}

export interface Done {
  type: "done";
  id: number;
  table?: string;
  view?: unknown;
  move?: string;
  after?: number;
  message?: Message;
  /** Of a hint: what says less than the move. */
  steps?: Message[];
}

export interface Refusal {
  type: "error";
  id: number | null;
  code: string;
  text: string;
  reason?: Message | null;
}

/** The messages that the server sends without a request. */
export type Broadcast = TableMessage | EntriesMessage | SaidMessage | CancelledMessage | DeclinedMessage | LobbyMessage;
export type ServerMessage = Broadcast | Done | Refusal;
