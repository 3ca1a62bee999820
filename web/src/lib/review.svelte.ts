// The review of a finished match: what every decision cost. The server works it out; this asks until it is complete.
import type { Entry, Message } from "./protocol";
import { ask } from "./server";

export type Verdict = "forced" | "fine" | "inaccurate" | "mistake" | "blunder";
export const BAD = ["inaccurate", "mistake", "blunder"] as const;
export type Bad = (typeof BAD)[number];
export const isBad = (verdict: Verdict): verdict is Bad => (BAD as readonly string[]).includes(verdict);

/** A move that could have been made, and the chance to win that it leaves. */
export interface Choice {
  move: string;
  chance: number;
  message: Message;
  marks: Record<string, unknown>;
  /** Of a better move: the rest of its turn. */
  rest: { move: string; message: Message }[];
  /** The move only lets chance draw for the seat, which then acts again. */
  draws: boolean;
}

/** A decision with what the seat could know, or with all cards open. */
export interface Knowledge {
  /** Of winning, by seat, if the best move is made. */
  chances: number[];
  /** Of the seat that decided, after the move that was made. */
  played: number;
  error: number;
  verdict: Verdict;
  best: Choice[];
}

export interface Decision {
  /** The number of the entry. */
  n: number;
  seat: number;
  known: Knowledge;
  open: Knowledge | null;
  line: { by: number; move: string }[];
  /** Of a flick: the move with what it aims at, as the better one is told. */
  message: Message | null;
  /** Of a bad move where hands are hidden: the answer that wins at once in a share of the hands that are possible. */
  danger: { seat: number; message: Message; share: number } | null;
}

/** A turn that lost much in small steps: all its decisions together deserve a worse verdict than each alone. */
export interface TurnLoss {
  /** The decision that lost most. */
  n: number;
  seat: number;
  /** The first decision of the turn, and the last. */
  first: number;
  last: number;
  loss: number;
  verdict: Bad;
}

/** The positions before and after a decision, and the line that was suggested. */
export interface Moment {
  n: number;
  seat: number;
  view: unknown;
  legal: unknown;
  /** The position after the move, when all is at rest. */
  after: unknown;
  line: LineStep[];
}

export interface LineStep {
  by: number;
  move: string;
  message: Message;
  marks: Record<string, unknown>;
  view: unknown;
}

export interface Tried {
  chance: number;
  best: number;
  is_nearly_best: boolean;
  message: Message;
  marks: Record<string, unknown>;
  view: unknown;
}

interface ReviewMessage {
  state: "working" | "done";
  of: number;
  done: number;
  decisions: Decision[];
  turns: TurnLoss[];
  accuracy: (number | null)[];
  open: Opened | null;
  statistics: Record<string, number[]>;
}

/** What changes if all cards are open. */
interface Opened {
  turns: TurnLoss[];
  accuracy: (number | null)[];
}

const ASKED_EVERY = 800; // milliseconds
const TRIES_AGAIN = 5; // questions without an answer, until it is given up
export const DEEPER = [2, 4, 8, 16]; // times the usual work

export const lossOf = ({ best, played }: Knowledge): number => Math.max(0, (best[0]?.chance ?? played) - played);
/** The loss in a hundred, as the difference of the two chances that are shown. */
export const percentLost = ({ best, played }: Knowledge): string => String(Math.max(0, Number(percent(best[0]?.chance ?? played)) - Number(percent(played))));
export const percent = (chance: number): string => String(Math.round(chance * 100));

/** The decision before or after one of `count`. -1 is the end of the match, and means that there is none. */
export function neighbour(at: number, by: 1 | -1, count: number): number {
  const to = at >= 0 ? at + by : by < 0 ? count - 1 : -1;
  return to < count ? to : -1;
}

const COSTS: [least: number, verdict: Bad][] = [[0.3, "blunder"], [0.2, "mistake"], [0.1, "inaccurate"]];

/** The decisions in the order of the match, each once: a later one replaces an earlier one. */
export function joined(decisions: Decision[], more: Decision[]): Decision[] {
  const known = new Map([...decisions, ...more].map((one) => [one.n, one]));
  return [...known.values()].sort((a, b) => a.n - b.n);
}

/** The decisions of two players, with one number for each position.
 *
 * A position is looked at twice: after a fine move, and before the next decision. If nothing is drawn in between, the two looks
 * should tell the same, but a search thinks too much of the player who is to move where it stops. The move gets the mean of both,
 * or what the later look tells, if that is certain or was made with more care, for a bad move. */
export function steadied(decisions: Decision[]): Decision[] {
  return decisions.map((one, k) => {
    const next = decisions[k + 1];
    const { chances, played, verdict } = one.known;
    if (next?.n !== one.n + 1 || one.open || chances.length !== 2 || isBad(verdict) || isCertain(played)) return one;
    const later = next.known.chances[one.seat - 1]!;
    const isSure = isCertain(later) || isBad(next.known.verdict);
    return { ...one, known: shifted(one.known, one.seat, isSure ? later - played : (later - played) / 2) };
  });
}

const isCertain = (chance: number): boolean => chance === 0 || chance === 1;

function shifted(known: Knowledge, seat: number, by: number): Knowledge {
  const within = (chance: number): number => Math.min(1, Math.max(0, chance));
  return {
    ...known,
    chances: known.chances.map((chance, k) => within(chance + (k === seat - 1 ? by : -by))),
    played: within(known.played + by),
    best: known.best.map((choice) => ({ ...choice, chance: within(choice.chance + by) })),
  };
}

/** The turns that lost much in small steps, when the loss of a decision is judged anew: the mark stays if the sum still deserves one. */
export function turnsWith(turns: TurnLoss[], n: number, change: number): TurnLoss[] {
  return turns.flatMap((turn) => {
    if (n < turn.first || n > turn.last) return [turn];
    const loss = turn.loss + change;
    const verdict = COSTS.find(([least]) => loss >= least)?.[1];
    return verdict ? [{ ...turn, loss, verdict }] : [];
  });
}

/** The entry after which the board shows what a move led to: a flick is at rest some entries later. */
export function restsAt(line: readonly Entry[], n: number): number {
  return line.find((entry) => entry.n >= n && !entry.marks?.unmoved)?.n ?? n;
}

/** The worst decisions of some seats, and of their turns, worst first: what one can learn from. */
export function lessons(decisions: Decision[], turns: TurnLoss[], seats: number[], most = 6): Decision[] {
  const mine = decisions.filter(({ n, seat, known }) => seats.includes(seat) && (isBad(known.verdict) || turns.some((turn) => turn.n === n)));
  return mine.toSorted((a, b) => lossOf(b.known) - lossOf(a.known)).slice(0, most);
}

/** A step of a line as an entry, for a board that lights up what happened. */
export const entryOf = (step: LineStep, n: number): Entry => ({ n, by: step.by, move: step.move, message: step.message, marks: step.marks });

export class Review {
  decisions = $state.raw<Decision[]>([]);
  turns = $state.raw<TurnLoss[]>([]);
  of = $state(0);
  state = $state<"asking" | "working" | "done" | "failed">("asking");
  accuracy = $state.raw<(number | null)[]>([]);
  /** Turns and accuracy with all cards open; null where nothing is hidden. */
  open = $state.raw<Opened | null>(null);
  statistics = $state.raw<Record<string, number[]>>({});
  /** How much deeper than usual a decision is being judged: the entry, and which of the steps in DEEPER is on. */
  deeper = $state.raw<{ n: number; step: number } | null>(null);
  #moments = new Map<number, Promise<Moment>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failed = 0;
  #received = 0; // decisions
  #asking = false;

  constructor(readonly table: string) {}

  /** Ask until everything is judged. */
  async start(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#asking) {
      await this.#ask();
      if (this.state === "done" || this.state === "failed") this.#asking = false;
      else await new Promise((resolve) => (this.#timer = setTimeout(resolve, ASKED_EVERY)));
    }
  }

  async #ask(): Promise<void> {
    try {
      const told = await ask<ReviewMessage>(`/api/tables/${this.table}/review?after=${this.#received}`);
      this.#failed = 0;
      this.#received += told.decisions.length;
      this.decisions = joined(this.decisions, told.decisions);
      this.turns = told.turns;
      this.of = told.of;
      this.accuracy = told.accuracy;
      this.open = told.open;
      this.statistics = told.statistics;
      this.state = told.state;
    } catch {
      this.#failed += 1;
      if (this.#failed >= TRIES_AGAIN) this.state = "failed";
    }
  }

  stop(): void {
    this.#asking = false;
    clearTimeout(this.#timer);
    this.deeper = null;
  }

  /** The position before a decision. Asked once; the line is there when the decision is judged, and so is this. */
  moment(n: number): Promise<Moment> {
    let known = this.#moments.get(n);
    if (!known) {
      known = ask<Moment>(`/api/tables/${this.table}/review/${n}`);
      known.catch(() => this.#moments.delete(n));
      this.#moments.set(n, known);
    }
    return known;
  }

  tried(n: number, move: string): Promise<Tried> {
    return ask<Tried>(`/api/tables/${this.table}/review/${n}/try`, "POST", { move });
  }

  /** Judge a decision again with more and more work, until that is enough or somebody stops it. Return whether it is judged to the end. */
  async think(n: number): Promise<boolean> {
    for (let step = 0; step < DEEPER.length; step += 1) {
      this.deeper = { n, step };
      const judged = await ask<Decision>(`/api/tables/${this.table}/review/${n}/deeper`, "POST", { effort: DEEPER[step] }).catch(() => null);
      if (this.deeper?.n !== n || this.deeper.step !== step) return false; // stopped
      if (!judged) {
        this.deeper = null;
        return false;
      }
      this.#replace(judged);
    }
    this.deeper = null;
    return true;
  }

  #replace(judged: Decision): void {
    const before = this.decisions.find(({ n }) => n === judged.n);
    this.decisions = joined(this.decisions, [judged]);
    if (!before) return;
    this.turns = turnsWith(this.turns, judged.n, lossOf(judged.known) - lossOf(before.known));
    if (this.open && before.open && judged.open) this.open = { ...this.open, turns: turnsWith(this.open.turns, judged.n, lossOf(judged.open) - lossOf(before.open)) };
  }

  stopThinking(): void {
    this.deeper = null;
  }
}
