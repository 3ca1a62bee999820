// The cards and the spaces of the grid, and the types of the view and the legal moves.
import type { Colour } from "../../lib/colours";
import type { Entry, Message } from "../../lib/protocol";

export type Sign = "X" | "O";
/** A card as the notation names it: `XR`, or `F`, `W`, `D`. */
export type Card = string;

export interface View {
  /** By space, from a1 on: its cards from the lowest to the top one. */
  grid: Card[][];
  /** By seat: the cards, or null if they are hidden. */
  hands: (Card[] | null)[];
  sizes: number[];
  /** By seat; empty until the centre is revealed. */
  identities: Sign[];
  dealer: number | null;
  teams: boolean;
  pile: number;
  discards: Card[];
  turn: number | null;
  phase: "dealer" | "deal" | "reveal" | "draw" | "shuffle" | "redeal" | "play" | "first" | "second" | "target" | "over";
  turns_left: number;
  /** The spaces that ended the match. */
  line: string[];
}

export interface Legal {
  /** By playable card in hand: the spaces where it fits; none for action cards. */
  cards: Record<Card, string[]>;
  /** The seats that a Wipe-Out may hit. */
  targets: number[];
}

/** The marks of an entry. */
export interface Marks {
  card?: Card;
  space?: string;
  covered?: Card | null;
  line?: string[];
  identities?: Sign[];
  drawn?: { seat: number; count: number; cards: Card[] | null };
  laid_down?: { seat: number; cards: Card[] };
  shuffled?: number;
}

export const SIZE = 3;
export const COLUMNS = "abc";
export const SPACES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

export const isSymbol = (card: Card): boolean => card.length === 2;
export const signOf = (card: Card): Sign => card[0] as Sign;
export const colourOf = (card: Card): Colour => card[1] as Colour;
export const cardMessage = (card: Card): Message => ({ key: "tictacmatch.card." + card });

/** Return the parts of a move: the card, and the space of a symbol card. */
export function readMove(move: string): { card: Card; space: string | null } | null {
  const found = /^([XO][RBYG]|[FWD])(?: ([abc][123]))?$/.exec(move);
  return found ? { card: found[1]!, space: found[2] ?? null } : null;
}

export const stackAt = (view: View, space: string): Card[] => view.grid[SPACES.indexOf(space)] ?? [];

/** Return each kind of card once, with its number, in order. */
export function counted(cards: Card[]): { card: Card; count: number }[] {
  return [...new Set(cards)].map((card) => ({ card, count: cards.filter((other) => other === card).length }));
}

/** Return the card on top of the discards: the last one that an entry laid there. A view has no order. */
export function topDiscard(discards: Card[], past: Entry[]): Card | null {
  for (const { marks } of past.toReversed()) {
    const { laid_down, space, card, shuffled } = (marks ?? {}) as Marks;
    if (shuffled) break;
    const laid = laid_down ? laid_down.cards.at(-1) : space ? null : card;
    if (laid && discards.includes(laid)) return laid;
  }
  return discards.at(-1) ?? null;
}

export interface Held {
  id: number;
  card: Card;
}

/** Return the hand as it is held: old cards keep their place and number, drawn cards come last with new numbers. */
export function rearranged(held: Held[], cards: Card[], nextId: () => number): Held[] {
  const left = [...cards];
  const stay = held.filter(({ card }) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...stay, ...left.map((card) => ({ id: nextId(), card }))];
}
