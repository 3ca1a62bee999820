// Entries and turns in words, and the points that each seat got out of them.
import type { GameTable, Glimpse } from "../games/contract";
import type { Entry, Position } from "./protocol";
import type { Turn } from "./turns";
import { capital, say, t } from "./words.svelte";

/** What a narration needs from the table. */
interface Company {
  readonly seats: { seat: number }[];
  readonly now: Position | null;
  /** The game's folder, once it is loaded. */
  readonly play: GameTable | null;
  nameOf(seat: number): string;
}

/** An entry in a line of the log: as pictures, or as words if `parts` is null. */
export interface Chip {
  entry: Entry;
  parts: Glimpse[] | null;
  score: number;
}

export class Narration {
  #company: Company;

  constructor(company: Company) {
    this.#company = company;
  }

  /** Return the points of every seat from an entry. By default they all go to the seat that made it. */
  earned = (entry: Entry): number[] => {
    const { play, now, seats } = this.#company;
    if (play?.earned && now?.view) return play.earned(now.view, entry);
    return seats.map(({ seat }) => (seat === entry.by ? (entry.score ?? 0) : 0));
  };

  /** Return the points of the seat that made the entry. */
  scoreOf = (entry: Entry): number => (entry.by ? (this.earned(entry)[entry.by - 1] ?? 0) : 0);

  /** Return the points that the seat of a turn made in it. */
  scoreOfTurn = ({ entries }: Turn): number => entries.reduce((sum, entry) => sum + this.scoreOf(entry), 0);

  /** Return what a line of the log shows for each entry of a turn, without entries that it need not show. */
  chipsOf = ({ entries }: Turn): Chip[] => {
    const { play } = this.#company;
    const chips = entries.map((entry) => ({ entry, parts: play?.glimpse?.(entry, entries) ?? null, score: this.scoreOf(entry) }));
    return chips.filter(({ parts }) => parts === null || parts.length > 0);
  };

  /** Return an entry as a sentence: who, what, how many points. */
  tell(entry: Entry): string {
    return this.#sentence(entry.by, entry.message.params?.seat !== undefined, say(entry.message, this.#company.nameOf), this.scoreOf(entry));
  }

  /** Return a turn as one sentence: who, the moves in order, the points in all. */
  tellTurn(turn: Turn): string {
    const { entries } = turn;
    const what = entries.map((entry) => say(entry.message, this.#company.nameOf)).join("; ");
    return this.#sentence(entries[0]!.by, entries[0]!.message.params?.seat !== undefined, what, this.scoreOfTurn(turn));
  }

  /** Return a turn as a line of a list: the name apart, then what happened. */
  tellLine(turn: Turn): string {
    const what = capital(turn.entries.map((entry) => say(entry.message, this.#company.nameOf)).join("; "));
    return turn.entries[0]!.by ? `${this.#company.nameOf(turn.entries[0]!.by)}: ${what}` : what;
  }

  #sentence(by: number, named: boolean, what: string, score: number): string {
    const sentence = by && !named ? t("log.by", { name: this.#company.nameOf(by), what }) : capital(what);
    if (!score) return sentence;
    return t("log.points", { sentence, points: t(score === 1 ? "points.one" : "points.other", { n: score }) });
  }
}
