// Checks the fairness seal in the page. docs/notation.md defines the seal and the draws of a match.
import type { DrawsOfMatch, Entry, MatchRecord, Seal, TableEntry } from "./protocol";
import { remember, remembered } from "./storage";

const WORDS = 1n << 64n;

/** Entries of the table that are not drawn: docs/notation.md, "In every game", and those of a game's own clock. */
const NOT_DRAWN = ["takeback", "timeout", "bot", "back", "time"];

/** The verdict of the check. `entry` is the first wrong entry; each verdict has its words. */
export type Verdict =
  | { verdict: "fair"; draws: number; silent: number[]; given?: number } // correct; `silent` has the seats that did not show their bytes in time
  | { verdict: "none"; given?: number } // correct, and nothing was drawn
  | { verdict: "unknown" } // this page cannot check it
  | { verdict: "empty" | "seed" | "seal" }
  | { verdict: "bytes"; seat: number }
  | { verdict: "draw" | "picks" | "outcome" | "sent"; entry: number };

/** What this page saw and sent before the first draw: the server cannot change it afterwards. */
export interface Witness {
  commitment: string;
  /** The bytes of the seats of this page. */
  bytes: Record<number, string>;
  /** The seats whose bytes the server has acknowledged. */
  shown: number[];
  /** The commitments of all seats at the moment when this page showed its bytes. */
  commits: (string | null)[] | null;
}

const borne = new Map<string, Witness>(); // used when the browser's storage is closed

export function bear(table: string, seen: Witness): void {
  borne.set(table, seen);
  remember("seal." + table, JSON.stringify(seen));
}

export function witness(table: string): Witness | null {
  const stored = JSON.parse(remembered("seal." + table) ?? "null") as Partial<Witness> | null;
  if (!stored?.commitment || !stored.bytes) return borne.get(table) ?? null;
  const { commitment, bytes, shown = Object.keys(bytes).map(Number), commits = null } = stored;
  return { commitment, bytes, shown, commits };
}

/** Return the commitment to a seat's bytes, which is sent before any seat shows its bytes. */
export async function sealCommit(match: string, seat: number, bytes: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${match}:${seat}:${bytes}`)));
}

type SentEntry = Pick<Entry, "n" | "by" | "move">;
const sentSoFar = new Map<string, Map<number, SentEntry>>();

/** Remember what the server sent while the match ran. The first message counts: the record must agree with it. */
export function rememberSent(table: string, entries: SentEntry[]): void {
  const before = sentSoFar.get(table) ?? new Map<number, SentEntry>();
  for (const { n, by, move } of entries) if (!before.has(n)) before.set(n, { n, by, move });
  sentSoFar.set(table, before);
}

export function sentEntries(table: string): SentEntry[] {
  return [...(sentSoFar.get(table)?.values() ?? [])];
}

/** Check the seed against the seal, every draw against the seed, every outcome against its ticket, and every entry
 * against what the server sent during the match. The verdict is "unknown" without a secure connection. */
export async function check(record: MatchRecord, draws: DrawsOfMatch, seen: Witness | null = null, sent: SentEntry[] = []): Promise<Verdict> {
  const { seal, log } = record;
  if (!seal?.seed || !globalThis.crypto?.subtle) return { verdict: "unknown" };
  if (!log.length) return { verdict: "empty" };
  if (seen && !agrees(seal, seen)) return { verdict: "seal" };
  const seed = unhex(seal.seed);
  if (hex(await crypto.subtle.digest("SHA-256", seed)) !== seal.commitment) return { verdict: "seed" };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const liar = await seatWithOtherBytes(key, seal);
  if (liar) return { verdict: "bytes", seat: liar };
  const other = sent.find(({ n, by, move }) => log[n - 1]?.by !== by || !isOf(move, log[n - 1]!.move));
  if (other) return { verdict: "sent", entry: other.n };
  const byTable = new Map(draws.entries.map((entry) => [entry.n, entry]));
  let drawn = 0;
  const given = record.given?.entries ?? 0; // entries of another match, which no draw of this one decided
  for (const [k, { by, move, picks = [] }] of log.entries()) {
    const entry = k + 1;
    if (entry <= given && !picks.length) continue;
    const chances = by === 0 ? chancesOf(byTable.get(entry), move) : [];
    if (picks.length !== chances?.length) return { verdict: "picks", entry };
    for (const [place, [ticket, total]] of picks.entries()) {
      drawn += 1; // counted over the whole record
      if ((await ticketOf(key, seal, drawn, total)) !== ticket) return { verdict: "draw", entry };
      if (outcomeOf(chances[place]!, ticket, total) !== move) return { verdict: "outcome", entry };
    }
  }
  if ([...byTable.keys()].some((n) => log[n - 1]?.by !== 0)) return { verdict: "picks", entry: log.length };
  const silent = seal.bytes.flatMap((bytes, k) => (bytes === "" ? [k + 1] : []));
  const before = given ? { given } : {};
  return drawn ? { verdict: "fair", draws: drawn, silent, ...before } : { verdict: "none", ...before };
}

/** Return whether the seal is the one that this page saw. Its own bytes may be missing only if they were never acknowledged. */
function agrees(seal: Seal, { commitment, bytes, shown, commits }: Witness): boolean {
  if (seal.commitment !== commitment || (commits && JSON.stringify(seal.commits) !== JSON.stringify(commits))) return false;
  return Object.entries(bytes).every(([seat, given]) => {
    const used = seal.bytes[Number(seat) - 1];
    return used === given || (used === "" && !shown.includes(Number(seat)));
  });
}

/** Return the first seat whose bytes contradict its commitment, or, for a bot, the seed. */
async function seatWithOtherBytes(key: CryptoKey, { match, commits, bytes }: Seal): Promise<number | null> {
  if (!commits) return null; // the first format
  for (const [k, commit] of commits.entries()) {
    const text = new TextEncoder().encode(`${match}:seat:${k + 1}`);
    const due = commit === null ? hex(await crypto.subtle.sign("HMAC", key, text)).slice(0, 32) : bytes[k];
    if (bytes[k] !== due || (commit !== null && due && (await sealCommit(match, k + 1, due)) !== commit)) return k + 1;
  }
  return commits.length === bytes.length ? null : commits.length;
}

/** Return whether an entry is the one that was sent. A hidden word was sent as "?". */
function isOf(sent: string, move: string): boolean {
  const words = move.split(" ");
  const known = sent.split(" ");
  return known.length === words.length && known.every((word, k) => word === "?" || word === words[k]);
}

/** Return the choices of an entry's draws; null if the entry must have been drawn but its choices are missing. */
function chancesOf(entry: TableEntry | undefined, move: string): [string, number][][] | null {
  if (!entry) return null;
  const draws = entry.draws ?? [];
  if (entry.why === "table") return NOT_DRAWN.includes(move.split(" ")[0]!) ? [] : null;
  if (entry.why === "measured") return [];
  return draws.length ? draws : null;
}

/** Return the outcome that a ticket falls on; null if the weights do not add up, or two choices are the same. */
function outcomeOf(choices: [string, number][], ticket: number, total: number): string | null {
  if (new Set(choices.map(([text]) => text)).size !== choices.length) return null;
  let chosen: string | null = null;
  let reached = 0;
  for (const [text, weight] of choices) {
    if (!Number.isSafeInteger(weight) || weight < 1) return null;
    if (ticket >= reached && ticket < reached + weight) chosen = text;
    reached += weight;
  }
  return reached === total ? chosen : null;
}

/** Return the ticket of a draw, 0 to total - 1. A word that would favour the first outcomes is skipped. */
async function ticketOf(key: CryptoKey, seal: Seal, draw: number, total: number): Promise<number> {
  if (!Number.isSafeInteger(total) || total < 1) return NaN;
  const limit = WORDS - (WORDS % BigInt(total));
  for (let attempt = 1; ; attempt += 1) {
    const text = new TextEncoder().encode([seal.match, ...seal.bytes, draw, attempt].join(":"));
    const word = new DataView(await crypto.subtle.sign("HMAC", key, text)).getBigUint64(0);
    if (word < limit) return Number(word % BigInt(total));
  }
}

export function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
