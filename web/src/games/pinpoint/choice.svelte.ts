// The player's choice before a pin is put: which pin, and as a joker of which colour.
import { COLOURS, type Colour } from "../../lib/colours";
import { colourOfMove, type Legal } from "./geometry";

export class Choice {
  pin = $state<Colour | null>(null);
  joker = $state(false);
  announced = $state<Colour>("R");

  #position = ""; // where the joker was asked for, by its legal moves

  /** Keep the choice legal: when the chosen pin has left the hand, choose the next one. A joker is asked for in one position only. */
  settle(legal: Legal | null): void {
    if (!legal) return;
    const position = JSON.stringify(legal);
    if (position !== this.#position) this.joker = false;
    this.#position = position;
    if (!this.pin || !legal.pins.includes(this.pin)) this.pin = nextAfter(this.pin, legal.pins);
    if (!legal.joker) this.joker = false;
  }

  take(pin: Colour): void {
    this.pin = pin;
  }

  /** Choose what a hint suggests, so that a click on its hole plays it. */
  follow(hint: string): void {
    this.pin = hint[0] as Colour;
    this.joker = hint.includes("=");
    this.announced = colourOfMove(hint);
  }

  switchJoker(): void {
    this.joker = !this.joker;
    if (this.joker && this.pin) this.announced = this.pin;
  }

  /** The colour that the chosen pin would count as. */
  get colour(): Colour | null {
    return this.joker ? this.announced : this.pin;
  }

  moveTo(hole: string): string {
    return this.pin + (this.joker ? "=" + this.announced : "") + hole;
  }
}

function nextAfter(pin: Colour | null, hand: Colour[]): Colour | null {
  const from = pin ? COLOURS.indexOf(pin) : 0;
  const round = [...COLOURS.slice(from), ...COLOURS.slice(0, from)];
  return round.find((colour) => hand.includes(colour)) ?? null;
}
