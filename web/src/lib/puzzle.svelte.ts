// A puzzle on the board: the moves that somebody tries, what the server says to them, and the lines that it shows.
import type { Entry, Message, PuzzleJudged, PuzzleReply, PuzzleShown, Told } from "./protocol";
import { puzzleReply, tryMistake, tryPuzzle } from "./server";
import { latestTurns, turnsOf, type StartsTurn } from "./turns";

const PACE = 900; // milliseconds from one entry to the next

export class Puzzle {
  view = $state.raw<unknown>(null);
  legal = $state.raw<unknown>(null);
  entries = $state.raw<Entry[]>([]);
  pending = $state<string | null>(null);
  failed = $state(false);
  /** Why the rules refuse the last move. */
  refused = $state.raw<Message | null>(null);
  /** The right moves so far, of a puzzle that asks for a whole turn. */
  moves = $state.raw<string[]>([]);
  judged = $state.raw<PuzzleJudged | null>(null);
  /** What is wrong with the move that was tried, when somebody asked. */
  reply = $state.raw<PuzzleReply | null>(null);
  asking = $state(false);
  #tried: string[] = [];
  /** A line that is being shown: its entries so far. */
  told = $state.raw<Entry[]>([]);
  showing = $state(false);
  /** Plays an entry's motion on the board, where the board can. */
  act: ((entry: Entry) => Promise<unknown> | null) | null = null;
  #run = 0; // changes when the board is set up again: what was on its way is dropped

  constructor(readonly shown: PuzzleShown) {
    this.setUp();
  }

  /** The board as the puzzle begins. What was answered stays. */
  setUp(): void {
    this.#run += 1;
    this.view = this.shown.view;
    this.legal = this.shown.legal;
    this.entries = this.shown.entries;
    this.moves = [];
    this.told = [];
    this.refused = this.pending = null;
    this.failed = this.showing = false;
  }

  recent(startsTurn?: StartsTurn): Entry[] {
    return latestTurns(turnsOf(this.entries, this.entries, startsTurn)).flatMap(({ entries }) => entries);
  }

  async move(text: string): Promise<void> {
    if (this.pending !== null || this.judged || this.showing) return;
    const run = this.#run;
    this.pending = text;
    this.refused = null;
    const moves = [...this.moves, text];
    const { game, id, day } = this.shown;
    const asked = this.shown.kind === "mistake" ? tryMistake(id, text) : tryPuzzle(game, id, moves, day !== null);
    const judged = await asked.catch(() => null);
    if (run !== this.#run) return;
    this.failed = judged === null;
    this.pending = null;
    if (!judged) return;
    this.refused = judged.reason;
    if (!judged.made.length) return;
    this.legal = null;
    if (!(await this.#play(judged.made, run))) return;
    this.legal = judged.legal;
    if (!judged.verdict) return void (this.moves = moves);
    this.#tried = moves;
    this.judged = judged;
  }

  /** Start over on the same board. The first answer is the one that counts. */
  tryAgain(): void {
    this.setUp();
    this.judged = this.reply = null;
  }

  /** Show the best moves and how it may go on, from the beginning of the puzzle. */
  async showSolution(): Promise<void> {
    if (!this.judged) return;
    this.setUp();
    this.failed = false;
    await this.#show(this.judged.solution);
  }

  /** Show what may follow the move that was tried. */
  async showReply(): Promise<void> {
    if (!this.judged || this.asking) return;
    this.asking = true;
    this.reply ??= await puzzleReply(this.shown.game, this.shown.id, this.#tried).catch(() => null);
    this.asking = false;
    if (!this.reply) return void (this.failed = true);
    this.setUp();
    await this.#show([...this.judged.made, ...this.reply.line]);
  }

  async #show(line: Told[]): Promise<void> {
    const run = this.#run;
    this.legal = null;
    this.showing = true;
    await new Promise((resolve) => setTimeout(resolve, PACE));
    if (run !== this.#run) return;
    if (await this.#play(line, run, true)) this.showing = false;
  }

  /** Play entries on the board, one after another. Return whether it is still the same board. */
  async #play(line: Told[], run: number, aloud = false): Promise<boolean> {
    for (const [index, { entry, view }] of line.entries()) {
      if (index) await new Promise((resolve) => setTimeout(resolve, PACE));
      if (run !== this.#run) return false;
      await this.act?.(entry);
      if (run !== this.#run) return false;
      this.entries = [...this.entries, entry];
      this.view = view;
      if (aloud) this.told = [...this.told, entry];
    }
    return true;
  }
}
