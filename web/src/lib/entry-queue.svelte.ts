// Shows new entries one at a time, with a pause between them, so that people can follow what others do.
import type { Entry, Position } from "./protocol";

// The first two are in server/clock.py too, which gives this time to the player; tests/server/test_clock.py compares them.
const PACE = 650; // milliseconds from one entry of others to the next
const CHANCE_PACE = 300; // draws of chance follow more quickly
const SHORT_PACE = 180; // with reduced motion, or behind another tab
export const EVENT_PACE = 1800; // after an entry with a banner, which takes time to read

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** An entry that waits to be shown. */
export interface Step {
  entry: Entry;
  /** The position after it; null where the server sent only a later one. */
  position: Position | null;
}

/** What the queue needs from the table. */
interface Stage {
  /** Whether somebody at this device made the entry: it is shown without a pause. */
  isOwn(entry: Entry): boolean;
  /** The milliseconds that the page may still use to show entries, before the clock of a seat at this device starts. */
  timeToShow(): number;
  /** Fetch the view after an entry; null when the server does not answer. */
  viewAfter(n: number): Promise<unknown>;
  /** Put the entry on the page. `view` is null if the board does not change or the step has its own position. */
  show(step: Step, view: unknown): void;
  /** Whether the board announces the entry with a banner: the next one waits. */
  isEvent(entry: Entry): boolean;
}

export class EntryQueue {
  /** Animates an entry on the board before it is shown, for at most `most` milliseconds; null if the board has no animation. */
  act: ((entry: Entry, most?: number) => Promise<unknown> | null) | null = null;

  #steps = $state.raw<Step[]>([]);
  #running = false;
  #shownAt = 0;
  #eventUntil = 0;
  #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  isEmpty = $derived.by(() => this.#steps.length === 0);

  /** Append entries; `position` is the one after the last of them. */
  add(entries: Entry[], position: Position): void {
    const steps = [...this.#steps, ...entries.map((entry): Step => ({ entry, position: null }))];
    steps[steps.length - 1] = { ...steps.at(-1)!, position };
    this.#steps = steps;
    if (!this.#running) void this.#run();
  }

  /** Empty the queue and return its entries: the page jumps to the present. */
  flush(): Entry[] {
    const entries = this.#steps.map(({ entry }) => entry);
    this.#steps = [];
    return entries;
  }

  /** Replace every waiting entry by what `reread` returns for it. */
  reread(reread: (entry: Entry) => Entry): void {
    this.#steps = this.#steps.map((step) => ({ ...step, entry: reread(step.entry) }));
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#steps.length) {
      const { entry } = this.#steps[0]!;
      await this.#rest(this.#eventUntil - performance.now());
      const acted = this.act?.(entry, this.#stage.timeToShow());
      if (acted) await acted;
      else if (!this.#stage.isOwn(entry)) await this.#pause(entry.by ? PACE : CHANCE_PACE);
      if (this.#steps[0]?.entry.n !== entry.n) continue; // flushed meanwhile
      const { position } = this.#steps[0];
      const view = position || entry.marks?.unmoved ? null : await this.#stage.viewAfter(entry.n);
      const step = this.#steps[0];
      if (step?.entry.n !== entry.n) continue;
      this.#steps = this.#steps.slice(1);
      this.#stage.show(step, view);
      this.#shownAt = performance.now();
      if (this.#stage.isEvent(entry)) this.#eventUntil = this.#shownAt + EVENT_PACE;
    }
    this.#running = false;
  }

  #pause(usual: number): Promise<void> {
    const pace = calm.matches || document.visibilityState === "hidden" ? SHORT_PACE : usual;
    return this.#rest(this.#shownAt + pace - performance.now());
  }

  /** Wait, but only until the clock of a seat at this device starts. */
  #rest(milliseconds: number): Promise<void> {
    const rest = Math.min(milliseconds, this.#stage.timeToShow());
    return rest > 0 ? new Promise((go) => setTimeout(go, rest)) : Promise.resolve();
  }
}
