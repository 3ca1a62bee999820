// Entries in words, and the points that each seat got out of them.
import type { Entry } from "./protocol";
import { capital, say, t } from "./words.svelte";

/** What a narration needs from the table. */
interface Company {
  readonly seats: { seat: number }[];
  nameOf(seat: number): string;
}

export class Narration {
  #company: Company;

  constructor(company: Company) {
    this.#company = company;
  }

  /** The points of every seat from an entry. A game may replace it; by default the entry's score goes to its maker. */
  earned = $state.raw((entry: Entry): number[] => this.#company.seats.map(({ seat }) => (seat === entry.by ? (entry.score ?? 0) : 0)));

  /** The points of the one who made the entry. */
  scoreOf = (entry: Entry): number => (entry.by ? (this.earned(entry)[entry.by - 1] ?? 0) : 0);

  /** Return an entry as a sentence: who, what, how many points. */
  tell(entry: Entry): string {
    const what = say(entry.message, this.#company.nameOf);
    const score = this.scoreOf(entry);
    const points = score ? t(score === 1 ? "points.one" : "points.other", { n: score }) : "";
    const sentence = entry.by && entry.message.params?.seat === undefined ? t("log.by", { name: this.#company.nameOf(entry.by), what }) : capital(what);
    return points ? t("log.points", { told: sentence, points }) : sentence;
  }
}
