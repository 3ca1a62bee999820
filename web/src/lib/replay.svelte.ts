// Looks back at a match: which past position is shown, and going from one to the next by step, slider or playback.
import type { Entry } from "./protocol";
import type { Turn } from "./turns";

const PACE = 900; // milliseconds from one stop to the next, at the usual speed
const TRIES = 8; // to get a position: a connection that was lost comes back
const PAUSE = 1000; // milliseconds between two of them
export const SPEEDS = [0.5, 1, 2, 4] as const;

/** What a replay needs from the table. */
interface Source {
  readonly entries: Entry[];
  /** The entries that were not taken back. */
  readonly line: Entry[];
  /** The turns of the log. */
  readonly turns: Turn[];
  /** Fetch the view after an entry; null when the server does not answer. */
  viewAfter(n: number): Promise<unknown>;
}

export class Replay {
  /** The past position that is shown; null is the present. */
  looking = $state.raw<{ entry: number; view: unknown } | null>(null);
  playing = $state(false);
  speed = $state<number>(1);
  /** The numbers to stop at: 0 (before the first entry), and every entry that was not taken back. */
  stops = $derived.by(() => [0, ...this.source.line.map((entry) => entry.n)]);
  /** The index of the current stop, or of the one before the shown position. */
  place = $derived.by(() => {
    const entry = this.looking?.entry ?? this.stops.at(-1)!;
    return Math.max(0, this.stops.findLastIndex((stop) => stop <= entry));
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wantedEntry: number | null = null;
  #wantedPlace = 0;
  #going = false;

  constructor(readonly source: Source) {}

  /** Show the position after an entry. When requests overlap, the last one is shown. One that is lost is made again. */
  async lookAt(entry: number): Promise<void> {
    this.#wantedEntry = entry;
    for (let left = TRIES; left > 0 && this.#wantedEntry === entry; left--) {
      const view = await this.source.viewAfter(entry);
      if (view && this.#wantedEntry === entry) this.looking = { entry, view };
      if (view) return;
      await new Promise((go) => setTimeout(go, PAUSE));
    }
  }

  /** Go to the entry that a link names: the last one, if there are not so many. */
  async goTo(entry: number): Promise<void> {
    this.pause();
    await this.lookAt(Math.min(entry, this.source.entries.length));
  }

  backToNow(): void {
    this.#wantedEntry = null;
    this.looking = null;
  }

  /** Go to a stop. A slider asks faster than the server answers: stops in between are skipped. */
  async to(place: number): Promise<void> {
    this.#wantedPlace = Math.min(Math.max(place, 0), this.stops.length - 1);
    if (this.#going) return;
    this.#going = true;
    let reached = -1;
    while (reached !== this.#wantedPlace) {
      reached = this.#wantedPlace;
      if (reached === this.stops.length - 1) this.backToNow();
      else await this.lookAt(this.stops[reached]!);
    }
    this.#going = false;
  }

  async step(by: number): Promise<void> {
    this.pause();
    await this.to((this.#going ? this.#wantedPlace : this.place) + by);
  }

  /** Go to the end of the turn before, or of the next one. */
  async stepTurn(by: 1 | -1): Promise<void> {
    this.pause();
    const entry = this.stops[this.#going ? this.#wantedPlace : this.place]!;
    const ends = [0, ...this.source.turns.filter(({ stands }) => stands).map(({ entries }) => entries.at(-1)!.n), this.stops.at(-1)!];
    const end = by > 0 ? ends.find((n) => n > entry) : ends.findLast((n) => n < entry);
    if (end !== undefined) await this.to(this.stops.findLastIndex((stop) => stop <= end));
  }

  async play(): Promise<void> {
    this.playing = true;
    if (!this.looking) await this.to(0);
    this.#next();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (this.playing) this.#timer = setTimeout(() => void this.#advance(), PACE / this.speed);
  }

  async #advance(): Promise<void> {
    await this.to(this.place + 1);
    if (this.looking) this.#next();
    else this.pause(); // the end
  }
}
