// A review in words: what was played and what it cost, what was better, and what the next player could answer.
import type { Entry, Message } from "./protocol";
import { isBad, percent, percentLost, type Choice, type Decision, type Knowledge, type TurnLoss, type Verdict } from "./review.svelte";
import { say, t } from "./words.svelte";

const CLEAR = 0.1; // an answer that leaves so much more chance than the second best is worth telling
const WORTH_TELLING = 5; // percent that a fine move may lose before the better move is named
const MUCH = 10; // percent: a sure loss of so much is not fine
const DECIDED = 0.1; // of the chance to win: with less, or with less left to the others, hardly anything can change

/** The match that is told, and how it is looked at. */
export interface Reviewed {
  decisions: Decision[];
  /** The turns that lost much in small steps. */
  turns: TurnLoss[];
  /** With all cards open. */
  isOpen: boolean;
  entry(n: number): Entry | undefined;
  /** The entry that tells what a decision led to: itself, unless physics decides. */
  outcome(decision: Decision): Entry | undefined;
  /** Whether the match ended with a decision, and its player won alone or with partners. */
  wins(decision: Decision): boolean;
  nameOf(seat: number): string;
  /** The name of a player who decided; one's own has "you" beside it. */
  whoOf(decision: Decision): string;
  /** The number of the turn of a decision. */
  turnOf(decision: Decision): number;
}

/** Whether the match was nearly decided, so that a move that lost little says nothing about how good it was. */
export const isDecided = ({ best, played, verdict }: Knowledge): boolean => verdict === "fine" && ((best[0]?.chance ?? played) < DECIDED || played > 1 - DECIDED);

export class Telling {
  constructor(readonly of: Reviewed) {}

  knowledge = (one: Decision): Knowledge => (this.of.isOpen && one.open) || one.known;

  /** The turn that is marked at this decision, if it lost much in small steps. */
  turnLoss = (one: Decision): TurnLoss | undefined => this.of.turns.find(({ n }) => n === one.n);

  verdict = (one: Decision): Verdict => this.turnLoss(one)?.verdict ?? this.knowledge(one).verdict;

  isBad = (one: Decision): boolean => isBad(this.verdict(one));

  heading = (one: Decision): string => {
    const turn = this.turnLoss(one);
    const known = this.knowledge(one);
    if (turn) return t(`review.whole.${turn.verdict}`);
    if (!isBad(known.verdict) && this.of.wins(one)) return t("review.verdict.wins");
    return isDecided(known) ? t("review.verdict.decided") : t(`review.verdict.${known.verdict}`);
  };

  played = (one: Decision): string => this.#say(one.message ?? this.of.entry(one.n)?.message ?? { key: "" });

  sentence = (one: Decision): string => {
    const known = this.knowledge(one);
    const base = { turn: this.of.turnOf(one), name: this.of.whoOf(one), what: this.played(one) };
    if (known.verdict === "forced") return t("review.forced", base);
    const came = this.outcome(one);
    const gain = percentLost(known);
    if (!this.isBad(one)) {
      const how = Number(gain) >= MUCH ? "perhaps" : "little"; // much is fine only where that may err
      const better = Number(gain) >= WORTH_TELLING ? t(`review.better.${how}`, { what: this.better(one), gain }) : "";
      return [t("review.fine", { ...base, chance: percent(known.played) }), came, better].filter(Boolean).join(" ");
    }
    const better = t("review.better", { what: this.better(one), gain });
    return [t("review.bad", { ...base, before: percent(known.best[0]!.chance), after: percent(known.played) }), came, this.wholeTurn(one), this.answer(one), better].filter(Boolean).join(" ");
  };

  /** The verdict and the sentence, for those who hear it. */
  spoken = (one: Decision): string => `${this.heading(one)}. ${this.sentence(one)}`;

  /** What came of a flick, which is partly luck: the chances are those of the aim. */
  outcome = (one: Decision): string => {
    const end = this.of.outcome(one);
    return end && end.n !== one.n ? t("review.came", { what: this.#say(end.message) }) : "";
  };

  wholeTurn = (one: Decision): string => {
    const turn = this.turnLoss(one);
    return turn ? t("review.whole", { loss: percent(turn.loss) }) : "";
  };

  /** The best move with the rest of its turn. */
  better = (one: Decision): string => {
    const best = this.knowledge(one).best[0]!;
    if (one.message && isAlike(one.message, best.message) && best.move !== this.of.entry(one.n)?.move) return t("review.same");
    return [best, ...best.rest].map(({ message }) => this.#say(message)).reduce((first, then) => t("review.then", { first, then }));
  };

  /** What was wrong with a bad move: an answer that many hands have and that wins, or else the one clear answer. */
  answer = (one: Decision): string => {
    if (one.danger && !this.of.isOpen) {
      const { seat, message, share } = one.danger;
      return t("review.danger", { name: this.of.nameOf(seat), what: this.#say(message), share: percent(share) });
    }
    const next = this.#answered(one);
    const [best, second] = next ? this.knowledge(next).best : [];
    if (!next || !best || (second && best.chance - second.chance < CLEAR)) return "";
    return t("review.answer", { name: this.of.nameOf(next.seat), what: this.#say(best.message) });
  };

  /** The first real decision after a move, if the next player makes it: no forced step, and no draw. */
  #answered(one: Decision): Decision | null {
    const { decisions } = this.of;
    const at = decisions.findIndex(({ n }) => n === one.n) + 1;
    const seat = decisions[at]?.seat;
    if (seat === one.seat) return null;
    for (const next of decisions.slice(at)) {
      if (next.seat !== seat) return null;
      const known = this.knowledge(next);
      const isDraw = known.best[0]?.draws;
      if (known.verdict !== "forced" && !isDraw) return next;
      if (isDraw && this.of.entry(next.n)?.move !== known.best[0]!.move) return null; // another move was made
    }
    return null;
  }

  #say = (message: Message): string => say(message, this.of.nameOf);
}

/** Whether two moves are told in the same words: a flick at the same brick, as hard, is the same idea. */
const isAlike = (one: Message, other: Choice["message"]): boolean => JSON.stringify(one) === JSON.stringify(other);
