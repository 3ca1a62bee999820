// Commits to bytes for the fairness seal when a seat is taken, and shows them when all have committed: docs/notation.md, "The seal".
import { bear, hex, sealCommit, witness, type Witness } from "./fairness";
import type { Seal, Seat } from "./protocol";

type Ask = (message: Record<string, unknown> & { do: string }) => Promise<unknown>;

export class Promises {
  #table: string;
  #ask: Ask;
  #showing = new Set<number>();

  constructor(table: string, ask: Ask) {
    this.#table = table;
    this.#ask = ask;
  }

  /** Take a seat with a commitment. Without a secure connection the page cannot compute one: then it shows its bytes at once. */
  async sit(seat: number, name: string, seal: Seal | null): Promise<void> {
    const bytes = hex(crypto.getRandomValues(new Uint8Array(16)));
    const commit = seal && globalThis.crypto.subtle ? await sealCommit(this.#table, seat, bytes) : null;
    const sat = await this.#ask({ do: "sit", seat, name, ...(commit ? { commit } : { bytes }) });
    if (!sat || !seal) return;
    const before = this.#witness(seal);
    bear(this.#table, { ...before, bytes: { ...before.bytes, [seat]: bytes }, shown: commit ? before.shown : [...before.shown, seat] });
  }

  /** Show the bytes of this device's seats when every seat is taken, and remember the commitments of the others. */
  show(seats: Seat[], seal: Seal | null): void {
    const given = witness(this.#table);
    if (!given || !seal?.commits || !seats.every((seat) => seat.taken)) return;
    for (const { seat, mine } of seats) {
      const bytes = given.bytes[seat];
      if (mine && bytes && seal.bytes[seat - 1] === null && !this.#showing.has(seat)) void this.#show(seat, bytes, seal);
    }
  }

  async #show(seat: number, bytes: string, seal: Seal): Promise<void> {
    this.#showing.add(seat);
    bear(this.#table, { ...this.#witness(seal), commits: seal.commits ?? null });
    const done = await this.#ask({ do: "reveal", seat, bytes });
    const after = this.#witness(seal);
    if (done) bear(this.#table, { ...after, shown: [...after.shown, seat] });
    this.#showing.delete(seat);
  }

  #witness(seal: Seal): Witness {
    return witness(this.#table) ?? { commitment: seal.commitment, bytes: {}, shown: [], commits: null };
  }
}
