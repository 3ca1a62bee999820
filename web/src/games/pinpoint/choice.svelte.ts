// What the player has in mind before a pin falls: which pin, and whether as a joker of what colour.
import { COLOURS, type Colour } from "../../lib/colours";
import type { Legal } from "./geometry";

export class Choice {
  pin = $state<Colour | null>(null);
  joker = $state(false);
  announced = $state<Colour>("R");

  /** Keeps to what is legal: a pin that has left the hand gives way to the next one. */
  settle(legal: Legal | null): void {
    if (!legal) return;
    if (!this.pin || !legal.pins.includes(this.pin)) this.pin = nextAfter(this.pin, legal.pins);
    if (!legal.joker) this.joker = false;
  }

  take(pin: Colour): void {
    this.pin = pin;
  }

  switchJoker(): void {
    this.joker = !this.joker;
    if (this.joker && this.pin) this.announced = this.pin;
  }

  /** The colour that the pin would count as. */
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
