// The contract of a game's folder. The rest of the page knows no game; a game's folder knows no rules.
import type { Component } from "svelte";
import type { Agreed, Entry, Message, OptionValue, Result } from "../lib/protocol";

/** The `default` of games/<key>/index.ts: light, for the shelf. Its words are in games/<key>/words. */
export interface GameFolder {
  /** The picture on the box, drawn from the pieces. With `beat` it moves: a few moves of the game, one for each beat from 0 on,
   * at most BEATS of them. Without it, the picture after them. */
  Art: Component<{ beat?: number }>;
  /** The colour of the box. */
  tint: string;
  /** The possible numbers of players, and the length of a match in minutes. */
  players: string;
  minutes: string;
  /** The settings that a table offers beside the number of players, given what it has agreed on so far. */
  settings(agreed: Agreed): Setting[];
  /** Whether the rules of the game keep time with these options: then the table offers no clock of its own. */
  timed?(agreed: Agreed): boolean;
  /** The team of a seat, from 1, in a game with partners. */
  team?(agreed: Agreed, seat: number): number | null;
  /** Loads the rest, which the table needs. */
  table(): Promise<GameTable>;
}

export const BEATS = 6;

export interface ChooserProps {
  value: OptionValue;
  choose(value: OptionValue): void;
}

export interface Setting {
  option: string;
  /** Its name, unless the word of the option in the game's folder is used. */
  label?: Message;
  /** What it means, if the name does not say it. */
  about?: Message;
  choices: { value: OptionValue; label: Message }[];
  /** Draws the choices, if a list of labels is not enough. */
  Chooser?: Component<ChooserProps>;
}

export interface GameTable {
  /** The board and the player's hand. */
  Play: Component<PlayProps>;
  Rules: Component;
  /** The section of the rules that each refusal of the server cites: the name of the refusal, and `turn` for the heading
   * `rules.turn.title`. Null for a refusal that no player can meet. A test compares them with the refusals of the rules. */
  cites?: Record<string, string | null>;
  /** The points of every seat, in the order of the seats, in a game with points; empty before there can be any. */
  points?(view: unknown): number[];
  /** The totals of the teams, in a game with teams. */
  totals?(view: unknown): number[];
  /** The colour of a seat's pieces as CSS; its face, its log lines and its marks have it too. Null if the seat has no own colour. */
  seatColour?(view: unknown, seat: number): string | null;
  /** A line under a player's name. `onMove` are the seats on the move now; null while one looks back. */
  seatNote(view: unknown, seat: number, onMove: number[] | null): Message | null;
  /** Drawn under a player's name instead of a line: things that everybody must see of each player. */
  SeatNote?: Component<{ view: unknown; seat: number }>;
  /** Drawn beside a player's name, in the place of points. */
  SeatMark?: Component<{ view: unknown; seat: number }>;
  /** The seats that the rules have eliminated. */
  out?(view: unknown): number[];
  /** What the player to move must do. `legal` has their moves if they sit at this device. */
  asks(view: unknown, legal?: unknown): Message | null;
  /** Why the match ended, if the game has better words than the page. */
  ended?(view: unknown, result: Result): Message | null;
  /** How long the board shows the end before the page sums the match up, in milliseconds, if it needs more than the usual time. */
  finale?: number;
  /** Drawn at the end, above the final scores. */
  EndNote?: Component<EndNoteProps>;
  /** The points of every seat from an entry, if they do not all go to the player who made it. */
  earned?(view: unknown, entry: Entry): number[];
  /** Whether an entry begins a new turn although the same seat made the entry before. `turn` has the entries of the old turn. */
  startsTurn?(entry: Entry, turn: Entry[]): boolean;
  /** An entry as small pictures with a few words, for one line of the log. Empty if the rest of its turn says it already,
   * null if words are better. `turn` has the entries of its turn. */
  glimpse?(entry: Entry, turn: Entry[]): Glimpse[] | null;
  /** Draws a picture of a glimpse, 1.5em high. */
  Picture?: Component<{ picture: unknown }>;
  /** The large text over the board when an entry changes everything. `eye` is the seat that reads it, or null. */
  banner?(entry: Entry, eye: number | null): Message | null;
}

export interface EndNoteProps {
  view: unknown;
  last: Entry | null;
  /** The entries that were not taken back. */
  line: Entry[];
  nameOf(seat: number): string;
}

/** A part of a line of the log. */
export interface Glimpse {
  /** The game's own: what its `Picture` draws. */
  picture?: unknown;
  text?: string | Message;
}

export interface PlayProps {
  view: unknown;
  /** The legal moves of the seat that acts at this device, or null when none may act. */
  legal: unknown;
  /** The seat that acts at this device, or else its only seat. Null for spectators, and while players at a shared device wait. */
  seat: number | null;
  /** The seat for which the view was made. Null for a spectator's view, also until a player at a shared device is ready. */
  eye: number | null;
  /** The seat that the board may call "you"; all others are named. The seat that acts, unless the page says otherwise. */
  you?: number | null;
  /** The seat from whose side a board is seen that lies between two players, if that is not always the seat that acts. */
  home?: number | null;
  /** The entry that led to this view: the board shows its marks. */
  lit: Entry | null;
  /** The entries of the current or last turn, and of the turn before it by another seat: the board marks them. */
  recent: Entry[];
  /** All entries that led to this view, without those that were taken back, where the page knows them. */
  past?: Entry[];
  /** A move that was sent and not yet confirmed. */
  pending: string | null;
  /** A move that the computer suggests: the board shows it until something happens. */
  hint: string | null;
  /** The match is over. */
  still: boolean;
  nameOf(seat: number): string;
  move(text: string): void;
  /** Shows why a click does not work. */
  explain(why: Message): void;
  /** Shows why nobody at this device may act, after a click. */
  idle(): void;
  /** A board that animates entries before they are shown passes its function here, and null when it is removed. The animation may
   * take `most` milliseconds: then the clock of a seat at this device starts. */
  acts(how: ((entry: Entry, most?: number) => Promise<unknown> | null) | null): void;
}
