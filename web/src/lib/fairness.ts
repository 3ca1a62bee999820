// The fairness seal, checked in the page: docs/notation.md says what the seal is.
import type { MatchRecord, Seal } from "./protocol";
import { remember, remembered } from "./storage";

const WORDS = 1n << 64n;

/** What came out: the seed is not the sealed one, the seal is not the one shown here, a draw does not follow, or all is well. */
export type Verdict =
  | { verdict: "fair"; draws: number }
  | { verdict: "seed" | "seal" }
  | { verdict: "draw"; entry: number }
  | { verdict: "unknown" };

/** What this page was shown and gave before chance was drawn: the server cannot change it afterwards. */
interface Witness {
  commitment: string;
  bytes: Record<number, string>;
}

export function bear(table: string, commitment: string, seat: number, bytes: string): void {
  const before = witness(table);
  remember("seal." + table, JSON.stringify({ commitment: before?.commitment ?? commitment, bytes: { ...before?.bytes, [seat]: bytes } }));
}

export function witness(table: string): Witness | null {
  return JSON.parse(remembered("seal." + table) ?? "null") as Witness | null;
}

/** Checks the seed against what was sealed, and every draw of a record against the seed. Unknown without a secure connection. */
export async function check({ seal, log }: MatchRecord, seen: Witness | null = null): Promise<Verdict> {
  if (!seal?.seed || !globalThis.crypto?.subtle) return { verdict: "unknown" };
  if (seen && !agrees(seal, seen)) return { verdict: "seal" };
  const seed = unhex(seal.seed);
  if (hex(await crypto.subtle.digest("SHA-256", seed)) !== seal.commitment) return { verdict: "seed" };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let draws = 0;
  for (const [k, { picks }] of log.entries())
    for (const [ticket, total] of picks ?? []) {
      draws += 1; // counted over the whole record
      if ((await ticketOf(key, seal, draws, total)) !== ticket) return { verdict: "draw", entry: k + 1 };
    }
  return { verdict: "fair", draws };
}

function agrees(seal: Seal, { commitment, bytes }: Witness): boolean {
  return seal.commitment === commitment && Object.entries(bytes).every(([seat, given]) => seal.bytes[Number(seat) - 1] === given);
}

/** The ticket, below the total, of the draw with this number. A word that would favour the first outcomes is drawn again. */
async function ticketOf(key: CryptoKey, seal: Seal, draw: number, total: number): Promise<number> {
  if (!Number.isSafeInteger(total) || total < 1) return NaN;
  const limit = WORDS - (WORDS % BigInt(total));
  for (let attempt = 1; ; attempt += 1) {
    const text = new TextEncoder().encode([seal.match, ...seal.bytes, draw, attempt].join(":"));
    const word = new DataView(await crypto.subtle.sign("HMAC", key, text)).getBigUint64(0);
    if (word < limit) return Number(word % BigInt(total));
  }
}

function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
