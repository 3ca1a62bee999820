// The fairness seal, checked in the page: docs/notation.md says what the seal is, and which draws there must be.
import type { DrawsOfMatch, Entry, MatchRecord, Seal, TableEntry } from "./protocol";
import { remember, remembered } from "./storage";

const WORDS = 1n << 64n;

/** What the table does without drawing: docs/notation.md, "In every game", and the clock of a game itself. */
const NOT_DRAWN = ["takeback", "timeout", "bot", "back", "time"];

/** What came out. `entry` is the first one with which something is wrong; each verdict has its words. */
export type Verdict =
  | { verdict: "fair"; draws: number; silent: number[] } // all is well; seats that did not show their bytes in time
  | { verdict: "none" } // all is well, and nothing was drawn
  | { verdict: "unknown" } // this page cannot check it
  | { verdict: "empty" | "seed" | "seal" }
  | { verdict: "bytes"; seat: number }
  | { verdict: "draw" | "picks" | "outcome" | "told"; entry: number };

/** What this page was shown and gave before chance was drawn: the server cannot change it afterwards. */
export interface Witness {
  commitment: string;
  /** The bytes of the seats of this page. */
  bytes: Record<number, string>;
  /** The seats whose bytes the server has acknowledged. */
  shown: number[];
  /** What all seats had committed themselves to when this page showed its bytes. */
  commits: (string | null)[] | null;
}

const borne = new Map<string, Witness>(); // where nothing can be stored

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

/** What a seat promises before anybody shows bytes. */
export async function sealCommit(match: string, seat: number, bytes: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${match}:${seat}:${bytes}`)));
}

type Told = Pick<Entry, "n" | "by" | "move">;
const heard = new Map<string, Map<number, Told>>();

/** Remembers what the server told while the match ran. The first telling counts: the record must not differ from it. */
export function hear(table: string, entries: Told[]): void {
  const before = heard.get(table) ?? new Map<number, Told>();
  for (const { n, by, move } of entries) if (!before.has(n)) before.set(n, { n, by, move });
  heard.set(table, before);
}

export function heardAt(table: string): Told[] {
  return [...(heard.get(table)?.values() ?? [])];
}

/** Checks the seed against what was sealed, every draw against the seed, every outcome against its ticket, and every entry
 * against what this page was told before. Unknown without a secure connection. */
export async function check(record: MatchRecord, draws: DrawsOfMatch, seen: Witness | null = null, told: Told[] = []): Promise<Verdict> {
  const { seal, log } = record;
  if (!seal?.seed || !globalThis.crypto?.subtle) return { verdict: "unknown" };
  if (!log.length) return { verdict: "empty" };
  if (seen && !agrees(seal, seen)) return { verdict: "seal" };
  const seed = unhex(seal.seed);
  if (hex(await crypto.subtle.digest("SHA-256", seed)) !== seal.commitment) return { verdict: "seed" };
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const liar = await seatWithOtherBytes(key, seal);
  if (liar) return { verdict: "bytes", seat: liar };
  const other = told.find(({ n, by, move }) => log[n - 1]?.by !== by || !isOf(move, log[n - 1]!.move));
  if (other) return { verdict: "told", entry: other.n };
  const byTable = new Map(draws.entries.map((entry) => [entry.n, entry]));
  let drawn = 0;
  for (const [k, { by, move, picks = [] }] of log.entries()) {
    const entry = k + 1;
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
  return drawn ? { verdict: "fair", draws: drawn, silent } : { verdict: "none" };
}

/** Whether the seal is the one that this page saw: its own bytes may be missing only if the server never acknowledged them. */
function agrees(seal: Seal, { commitment, bytes, shown, commits }: Witness): boolean {
  if (seal.commitment !== commitment || (commits && JSON.stringify(seal.commits) !== JSON.stringify(commits))) return false;
  return Object.entries(bytes).every(([seat, given]) => {
    const used = seal.bytes[Number(seat) - 1];
    return used === given || (used === "" && !shown.includes(Number(seat)));
  });
}

/** The first seat whose bytes are not those that it committed itself to, or a bot's that do not follow from the seed. */
async function seatWithOtherBytes(key: CryptoKey, { match, commits, bytes }: Seal): Promise<number | null> {
  if (!commits) return null; // the first format
  for (const [k, commit] of commits.entries()) {
    const text = new TextEncoder().encode(`${match}:seat:${k + 1}`);
    const due = commit === null ? hex(await crypto.subtle.sign("HMAC", key, text)).slice(0, 32) : bytes[k];
    if (bytes[k] !== due || (commit !== null && due && (await sealCommit(match, k + 1, due)) !== commit)) return k + 1;
  }
  return commits.length === bytes.length ? null : commits.length;
}

/** Whether an entry is the one that was told, where a word that was hidden reads "?". */
function isOf(told: string, move: string): boolean {
  const words = move.split(" ");
  const known = told.split(" ");
  return known.length === words.length && known.every((word, k) => word === "?" || word === words[k]);
}

/** What the draws of an entry of the table chose from; null if it must have been drawn and nothing says from what. */
function chancesOf(entry: TableEntry | undefined, move: string): [string, number][][] | null {
  if (!entry) return null;
  const draws = entry.draws ?? [];
  if (entry.why === "table") return NOT_DRAWN.includes(move.split(" ")[0]!) ? [] : null;
  if (entry.why === "measured") return [];
  return draws.length ? draws : null;
}

/** The outcome that a ticket falls on; null if the choices do not add up, or do not differ from one another. */
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
