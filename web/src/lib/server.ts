// The server's HTTP routes: the guest, the games, a new table, the guest's tables, a record, lessons, puzzles.
import type { Agreed, CourseShown, DrawsOfMatch, GameListed, Judged, Message, TableSettings, MatchRecord, MyTable, PuzzleJudged, PuzzleReply, PuzzleShown, PuzzlesListed, SeatWanted } from "./protocol";
import { at } from "./root";
import { refusalText } from "./refusals";
import { remember, remembered } from "./storage";
import { t } from "./words.svelte";

/** The server refused a request. The code says why, if it sent one; for a move and an upload the reason says more. */
export class Unanswered extends Error {
  constructor(
    text: string,
    readonly code: string,
    readonly reason: Message | null = null,
  ) {
    super(text);
  }
}

export async function ask<T>(route: string, method = "GET", body?: unknown): Promise<T> {
  const wanted: RequestInit = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) wanted.body = JSON.stringify(body);
  const answer = await fetch(at(route), wanted);
  if (!answer.ok) {
    const { code = "", reason = null } = (await answer.json().catch(() => ({}))) as { code?: string; reason?: Message | null };
    throw new Unanswered(`${method} ${route}: ${answer.status}`, code, reason);
  }
  return (await answer.json()) as T;
}

/** Return why the table was not created, in words. */
export function whyNot(error: unknown): string {
  return refusalText(error instanceof Unanswered ? error.code : "", "new.failed");
}

export interface Guest {
  name: string;
}

let guest: Promise<Guest> | null = null;

/** Return the guest of this browser's cookie. The first call fetches one; with `fresh` every call does. */
export function me(fresh = false): Promise<Guest> {
  if (fresh) guest = null;
  guest ??= greeted().catch((error: unknown) => {
    guest = null;
    throw error;
  });
  return guest;
}

/** Give a new guest a name in the page's language. */
async function greeted(): Promise<Guest> {
  const known = await ask<Guest>("/api/me");
  if (remembered("greeted")) return known;
  remember("greeted", "yes");
  if (!remembered("greeted")) return known; // storage is closed: the name would change with every visit
  const names = t("name.offered").split(", ");
  return ask<Guest>("/api/me", "PUT", { name: names[Math.floor(Math.random() * names.length)] });
}

export async function rename(name: string): Promise<void> {
  const before = await me();
  if (!name || name === before.name) return;
  const renamed = await ask<Guest>("/api/me", "PUT", { name });
  guest = Promise.resolve(renamed);
}

/** Leaves, here and on every other device: no cookie of this guest is worth anything any more. */
export async function leaveEverywhere(): Promise<void> {
  await ask<{ left: boolean }>("/api/me", "DELETE");
  guest = null;
}

export async function games(): Promise<GameListed[]> {
  await me();
  return ask<GameListed[]>("/api/games");
}

export async function newTable(game: string, options: Agreed, seats: SeatWanted[], settings: Partial<TableSettings> = {}): Promise<string> {
  await me();
  const made = await ask<{ table: string; link: string }>("/api/tables", "POST", { game, options, seats, ...settings });
  return made.table;
}

/** Return a new table whose match goes on from the position after an entry of a finished one. */
export async function playOn(table: string, entry: number, seats: SeatWanted[]): Promise<string> {
  await me();
  return (await ask<{ table: string }>(`/api/tables/${table}/on`, "POST", { entry, seats })).table;
}

/** Return the table that shows an uploaded record. A refusal carries the reason. */
export async function upload(file: Blob): Promise<string> {
  await me();
  const answer = await fetch(at("/api/records"), { method: "POST", headers: { "Content-Type": "application/json" }, body: file });
  const { table, code = "", reason = null } = (await answer.json().catch(() => ({}))) as { table?: string; code?: string; reason?: Message | null };
  if (!answer.ok || !table) throw new Unanswered(`POST /api/records: ${answer.status}`, code, reason);
  return table;
}

/** Return the tables of this guest: first those where it is their turn, then the newest. */
export async function myTables(): Promise<MyTable[]> {
  await me();
  return (await ask<{ tables: MyTable[] }>("/api/me/tables")).tables;
}

/** Deletes a table that waits, or a match in which nobody else plays. */
export async function deleteTable(table: string): Promise<void> {
  await ask<{ deleted: string }>(`/api/tables/${table}`, "DELETE");
}

/** The last position of a finished match, as a small picture. */
export const pictureAddress = (table: string): string => `/api/tables/${table}/picture`;

export const recordAddress = (table: string): string => `/api/tables/${table}/record`;

export function record(table: string): Promise<MatchRecord> {
  return ask<MatchRecord>(recordAddress(table));
}

/** The public key of the server's signatures, in hex. */
export async function publicKey(): Promise<string> {
  return (await ask<{ key: string }>("/api/key")).key;
}

/** Return the choices of every draw of a finished match. */
export function draws(table: string): Promise<DrawsOfMatch> {
  return ask<DrawsOfMatch>(`/api/tables/${table}/draws`);
}

/** The lessons of a game. */
export function course(game: string): Promise<CourseShown> {
  return ask<CourseShown>(`/api/lessons/${game}`);
}

/** What the rules say to the last of these moves; those before it were right. */
export function tryLesson(game: string, step: string, moves: string[]): Promise<Judged> {
  return ask<Judged>(`/api/lessons/${game}/${step}`, "POST", { moves });
}

/** The games that have puzzles, how the guest stands in them, and the puzzle of the day. */
export async function puzzles(): Promise<PuzzlesListed> {
  await me();
  return ask<PuzzlesListed>("/api/puzzles");
}

/** The puzzle of the day, one of the guest's own mistakes, or one of a game: a certain one, or one near the guest's rating. */
export async function puzzle(what: string, id: string | null): Promise<PuzzleShown> {
  await me();
  if (what === "day") return ask<PuzzleShown>("/api/puzzles/day");
  if (what === "mistakes") return ask<PuzzleShown>("/api/mistakes");
  return ask<PuzzleShown>(id ? `/api/puzzles/of/${what}/${id}` : `/api/puzzles/next/${what}`);
}

/** What the last of these moves leads to; those before it were right. */
export function tryPuzzle(game: string, id: string, moves: string[], day: boolean): Promise<PuzzleJudged> {
  return ask<PuzzleJudged>(`/api/puzzles/of/${game}/${id}`, "POST", { moves, day });
}

/** What is wrong with the last of these moves. */
export function puzzleReply(game: string, id: string, moves: string[]): Promise<PuzzleReply> {
  return ask<PuzzleReply>(`/api/puzzles/of/${game}/${id}/reply`, "POST", { moves });
}

/** What another move is worth where the guest made a mistake: `id` is the table and the number of the entry. */
export function tryMistake(id: string, move: string): Promise<PuzzleJudged> {
  return ask<PuzzleJudged>(`/api/mistakes/${id}`, "POST", { move });
}
