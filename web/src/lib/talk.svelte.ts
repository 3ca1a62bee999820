// The chat of a table: its messages, which of them are unread, and who is muted at this device.
import type { Phrase, Said } from "./protocol";
import { remember, remembered } from "./storage";
import { hasWords, t } from "./words.svelte";

const HEARD_FOR = 6000; // milliseconds for which a message is shown beside its speaker

export class Talk {
  all = $state.raw<Said[]>([]);
  unread = $state(0);
  muted = $state.raw<number[]>([]);
  /** The last message of every seat, while it is new. */
  fresh = $state.raw<Record<number, Said>>({});
  /** The chat is open: then no message stays unread. */
  open = $state(false);

  /** The messages to show: without those of muted guests. */
  heard = $derived(this.all.filter((said) => !this.muted.includes(said.seat)));

  constructor(readonly table: string) {
    this.muted = (remembered("muted." + table) ?? "").split(" ").filter(Boolean).map(Number);
  }

  /** Take in the messages from before this client came, or from while the connection was lost. */
  recall(said: Said[]): void {
    const last = this.all.at(-1)?.n ?? 0;
    this.all = [...this.all, ...said.filter(({ n }) => n > last)];
  }

  /** Return whether the speaker is not muted. */
  hear(said: Said, mine: boolean): boolean {
    this.all = [...this.all, said];
    if (this.muted.includes(said.seat)) return false;
    if (this.open) return true;
    if (!mine) this.unread += 1;
    this.fresh = { ...this.fresh, [said.seat]: said };
    setTimeout(() => this.#fade(said), HEARD_FOR);
    return true;
  }

  read(): void {
    this.open = true;
    this.unread = 0;
  }

  mute(seat: number): void {
    this.muted = this.muted.includes(seat) ? this.muted.filter((other) => other !== seat) : [...this.muted, seat];
    this.fresh = Object.fromEntries(Object.entries(this.fresh).filter(([other]) => !this.muted.includes(Number(other))));
    remember("muted." + this.table, this.muted.join(" ") || null);
  }

  /** Follow to the next table, where everybody sits one seat further: muted guests stay muted. */
  followTo(next: string, seats: number): void {
    const muted = this.muted.map((seat) => (seat % seats) + 1);
    if (muted.length && remembered("muted." + next) === null) remember("muted." + next, muted.join(" "));
  }

  #fade(said: Said): void {
    if (this.fresh[said.seat] !== said) return;
    const { [said.seat]: _, ...others } = this.fresh;
    this.fresh = others;
  }
}

export function phraseText(phrase: Phrase): string {
  const key = "phrase." + phrase;
  return hasWords(key) ? t(key) : phrase;
}

/** Return the text: a phrase in the reader's language, or the words as written. */
export function saidText(said: Said): string {
  return said.phrase ? phraseText(said.phrase) : (said.text ?? "");
}
