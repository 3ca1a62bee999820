// A course of lessons as the page shows it: which step, which task of it, and what became of the learner's move. The server
// judges every move by the rules.
import type { CourseShown, Entry, Judged, Message, StepShown } from "./protocol";
import { course, tryLesson } from "./server";
import { remember, remembered } from "./storage";
import { latestTurns, turnsOf, type StartsTurn } from "./turns";

const PACE = 750; // milliseconds from one entry to the next
const REGRET = 1300; // milliseconds for which one sees what a wrong move led to, before it is taken back

export class Lesson {
  steps = $state.raw<StepShown[]>([]);
  match = $state.raw<CourseShown["match"]>({});
  place = $state(0);
  view = $state.raw<unknown>(null);
  legal = $state.raw<unknown>(null);
  entries = $state.raw<Entry[]>([]);
  /** The right moves that were made in this step. */
  moves = $state.raw<string[]>([]);
  /** What to say of the last try: it was right, or it was legal but not wanted, or the rules refuse it. */
  said = $state.raw<"almost" | { reason: Message } | null>(null);
  pending = $state<string | null>(null);
  hint = $state<string | null>(null);
  failed = $state(false);
  /** Plays an entry's motion on the board, where the board can. */
  act: ((entry: Entry) => Promise<unknown> | null) | null = null;

  step = $derived(this.steps[this.place] ?? null);
  /** Every task of the step is done; a step without tasks is only read. */
  done = $derived(this.step !== null && this.moves.length >= this.step.shown.length);
  isLast = $derived(this.place === this.steps.length - 1);
  #run = 0; // changes when another step is shown: what was on its way is dropped

  constructor(readonly game: string) {}

  async open(): Promise<void> {
    const found = await course(this.game);
    this.match = found.match;
    this.steps = found.steps;
    this.go(Math.min(Number(remembered("lesson." + this.game) ?? 0), found.steps.length - 1));
  }

  go(place: number): void {
    this.#run += 1;
    this.place = place;
    const step = this.steps[place]!;
    this.view = step.view;
    this.legal = step.legal;
    this.entries = step.entries;
    this.moves = [];
    this.said = this.pending = this.hint = null;
    this.failed = false;
    remember("lesson." + this.game, String(place));
    if (place === this.steps.length - 1) remember("taught." + this.game, "yes");
  }

  /** The entries of the last turns: the board marks where they were. */
  recent(startsTurn?: StartsTurn): Entry[] {
    return latestTurns(turnsOf(this.entries, this.entries, startsTurn)).flatMap(({ entries }) => entries);
  }

  showMe(): void {
    this.hint = this.step?.shown[this.moves.length] ?? null;
  }

  async move(text: string): Promise<void> {
    if (!this.step || this.pending !== null || this.done) return;
    const run = this.#run;
    this.pending = text;
    this.said = this.hint = null;
    const moves = [...this.moves, text];
    const judged = await tryLesson(this.game, this.step.id, moves).catch(() => null);
    if (run !== this.#run) return;
    this.failed = judged === null;
    this.pending = null;
    if (!judged) return;
    const before = { view: this.view, legal: this.legal, entries: this.entries };
    const isSeen = judged.right || (this.act !== null && judged.made.length > 0);
    if (isSeen && !(await this.#show(judged.made, run))) return;
    if (judged.right) {
      this.legal = judged.legal;
      this.moves = moves;
      return;
    }
    this.said = judged.reason ? { reason: judged.reason } : "almost";
    if (!isSeen) return;
    await new Promise((resolve) => setTimeout(resolve, REGRET));
    if (run === this.#run) Object.assign(this, before, { view: { ...(before.view as object) } }); // a new view: the board lets go of the motion
  }

  /** Show entries one after another. Return whether the step is still the same. A wrong move is shown only on a board that moves. */
  async #show(made: Judged["made"], run: number): Promise<boolean> {
    for (const [index, { entry, view }] of made.entries()) {
      if (index) await new Promise((resolve) => setTimeout(resolve, PACE));
      await this.act?.(entry);
      if (run !== this.#run) return false;
      this.entries = [...this.entries, entry];
      this.view = view;
      this.legal = null;
    }
    return true;
  }
}

/** Whether somebody was at the last lesson of a game. */
export const wasTaught = (game: string): boolean => remembered("taught." + game) !== null;
