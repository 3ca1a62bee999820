// The player's choice before a piece is put: the number and, where the stock has several, the colour.
import { NUMBERS, type Colour, type Legal, type Num } from "./geometry";

export class Choice {
  number = $state<Num | null>(null);
  #wanted = $state<Partial<Record<Num, Colour>>>({});

  /** Keep the choice legal: when the chosen number fits nowhere, choose the next one that fits. */
  settle(legal: Legal | null): void {
    if (!legal || (this.number && legal.numbers[this.number])) return;
    const from = this.number ?? 1;
    const round = [...NUMBERS.slice(from - 1), ...NUMBERS.slice(0, from - 1)];
    this.number = round.find((number) => legal.numbers[number]) ?? null;
  }

  /** Return the colour for a number: the chosen one, else the player's own, else the first in stock. */
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

  /** Forget the chosen colours when the turn passes to another player. */
  forget(): void {
    this.#wanted = {};
  }
}
