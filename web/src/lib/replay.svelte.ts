// A match shown again: where to stop, and going from one stop to the next.
import type { Table } from "./table.svelte";

const PACE = 900; // milliseconds from one stop to the next

export class Replay {
  playing = $state(false);
  /** The entries to stop at: before the first, and every one that stands. */
  stops = $derived.by(() => [0, ...this.table.line.map((entry) => entry.n)]);
  /** The stop that is shown, or else the one before it. */
  place = $derived.by(() => {
    const entry = this.table.looking?.entry ?? this.stops.at(-1)!;
    return Math.max(0, this.stops.findLastIndex((stop) => stop <= entry));
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #going = false;
  #wanted = 0;

  constructor(readonly table: Table) {}

  /** Goes to a stop. A slider asks faster than a server answers: what lies between is left out. */
  async to(place: number): Promise<void> {
    this.#wanted = Math.min(Math.max(place, 0), this.stops.length - 1);
    if (this.#going) return;
    this.#going = true;
    let reached = -1;
    while (reached !== this.#wanted) {
      reached = this.#wanted;
      if (reached === this.stops.length - 1) this.table.backToNow();
      else await this.table.lookAt(this.stops[reached]!);
    }
    this.#going = false;
  }

  async step(by: number): Promise<void> {
    this.pause();
    await this.to((this.#going ? this.#wanted : this.place) + by);
  }

  async play(): Promise<void> {
    this.playing = true;
    if (!this.table.looking) await this.to(0);
    this.#next();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (this.playing) this.#timer = setTimeout(() => void this.#advance(), PACE);
  }

  async #advance(): Promise<void> {
    await this.to(this.place + 1);
    if (this.table.looking) this.#next();
    else this.pause(); // the end
  }
}
