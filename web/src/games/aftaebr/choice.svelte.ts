// What the player has in mind before a piece is put: which number and, where it is there in several, which colour.
import { NUMBERS, type Colour, type Legal, type Num } from "./geometry";

export class Choice {
  number = $state<Num | null>(null);
  #wanted = $state<Partial<Record<Num, Colour>>>({});

  /** Keeps to what is legal: a number that cannot be put gives way to the next one that can. */
  settle(legal: Legal | null): void {
    if (!legal || (this.number && legal.numbers[this.number])) return;
    const from = this.number ?? 1;
    const round = [...NUMBERS.slice(from - 1), ...NUMBERS.slice(0, from - 1)];
    this.number = round.find((number) => legal.numbers[number]) ?? null;
  }

  /** The colour that a number would be put in: the one asked for, else the player's own, else the first there is. */
  colourFor(number: Num, held: Colour[], own: Colour | null): Colour | null {
    const wanted = this.#wanted[number];
    return [wanted, own].find((colour) => colour && held.includes(colour)) ?? held[0] ?? null;
  }

  take(number: Num): void {
    this.number = number;
  }

  want(number: Num, colour: Colour): void {
    this.number = number;
    this.#wanted = { ...this.#wanted, [number]: colour };
  }

  /** Another player's turn: their own colour comes first again. */
  forget(): void {
    this.#wanted = {};
  }
}
