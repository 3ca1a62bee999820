// What a game's folder fulfils. The rest of the page knows no game; a game's folder knows no rules.
import type { Component } from "svelte";
import type { Agreed, Entry, Message, OptionValue, Result } from "../lib/protocol";

/** The `default` of games/<key>/index.ts: light, for the shelf. Its words are in games/<key>/words. */
export interface GameFolder {
  /** The picture on the box, drawn from the pieces. */
  Art: Component;
  /** The colour of the box. */
  tint: string;
  /** How many can play, and for how long, in minutes. */
  players: string;
  minutes: string;
  /** What a table may agree on, beside how many play, once it has agreed on this much. */
  settings(agreed: Agreed): Setting[];
  /** Whether time is kept by the game's own rules, once that is agreed: then there is no other clock beside it. */
  timed?(agreed: Agreed): boolean;
  /** The team of a seat, from 1, where partners win together. */
  team?(agreed: Agreed, seat: number): number | null;
  /** The heavy part, for the table. */
  table(): Promise<GameTable>;
}

export interface ChooserProps {
  value: OptionValue;
  choose(value: OptionValue): void;
}

export interface Setting {
  option: string;
  /** What it is called, where not by the game's own word for the option. */
  label?: Message;
  /** What it means, where the name alone does not say it. */
  about?: Message;
  choices: { value: OptionValue; label: Message }[];
  /** Draws the choice where a list of labels is not enough. */
  Chooser?: Component<ChooserProps>;
}

export interface GameTable {
  /** The board and what the players hold. */
  Play: Component<PlayProps>;
  Rules: Component;
  /** What every seat has, in the order of the seats, where there are points; nothing before there can be any. */
  points?(view: unknown): number[];
  /** The same with partners added up, where there are teams. */
  totals?(view: unknown): number[];
  /** The colour of a seat's pieces, as CSS: its face, its lines and its marks have it too. Null where it plays none of its own. */
  seatColour?(view: unknown, seat: number): string | null;
  /** A line under a player's name. */
  seatNote(view: unknown, seat: number): Message | null;
  /** More than a line: drawn under a player's name, where everybody must see what each one has. */
  SeatNote?: Component<{ view: unknown; seat: number }>;
  /** Drawn beside a player's name, where others have points. */
  SeatMark?: Component<{ view: unknown; seat: number }>;
  /** The seats that are out of the match by its rules. */
  out?(view: unknown): number[];
  /** What is asked of the one on the move, whose legal moves are given if that one is here. */
  asks(view: unknown, legal?: unknown): Message | null;
  /** Why the match ended, where the game says it better than the page. */
  ended?(view: unknown, result: Result): Message | null;
  /** More than a line: drawn at the end, above who had how much. */
  EndNote?: Component<EndNoteProps>;
  /** What every seat got out of an entry, where its score does not simply go to the one who made it. */
  earned?(view: unknown, entry: Entry): number[];
  /** Whether an entry opens a new turn although the same seat made the one before. `turn` has that turn's entries. */
  startsTurn?(entry: Entry, turn: Entry[]): boolean;
  /** An entry as small pictures with a few words, for one line of the log; empty where the rest of its turn says it already,
   * null where words tell it better. `turn` has the entries of its turn. */
  glimpse?(entry: Entry, turn: Entry[]): Glimpse[] | null;
  /** Draws a picture of a glimpse, 1.5em high. */
  Picture?: Component<{ picture: unknown }>;
  /** What is said in large letters over the board when an entry changes everything; `eye` is the seat that reads it, or null. */
  banner?(entry: Entry, eye: number | null): Message | null;
}

export interface EndNoteProps {
  view: unknown;
  last: Entry | null;
  /** The entries that stand. */
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
  /** The legal moves of the one who acts here, or null when nobody here may act. */
  legal: unknown;
  /** The seat that acts here, else the only one held here; null for those who watch or wait at a shared screen. */
  seat: number | null;
  /** The seat with whose eyes the view is seen; null for a stranger's, also until a player at a shared screen is ready. */
  eye: number | null;
  /** The entry that led to this view: the board shows its marks. */
  lit: Entry | null;
  /** The entries of the turn that runs or ran last, and of the turn before it by another seat: the board marks where they were. */
  recent: Entry[];
  /** A move that was sent and has not come back yet. */
  pending: string | null;
  /** A move that the computer suggests: the board shows it until something happens. */
  hint: string | null;
  /** The match is over: nobody holds anything any more. */
  still: boolean;
  nameOf(seat: number): string;
  move(text: string): void;
  /** A wrong click explains itself. */
  explain(why: Message): void;
  /** Why nobody here may act, for a click that comes all the same. */
  idle(): void;
  /** A board that acts entries out, before they are told, says how; null when it goes away. It may take `most` milliseconds: then the
   * time of somebody here starts. */
  acts(how: ((entry: Entry, most?: number) => Promise<unknown> | null) | null): void;
}
