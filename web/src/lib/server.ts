// The routes of the server that are asked once: who I am, which games there are, a new table.
import type { Agreed, GameListed, SeatWanted } from "./protocol";

export class Unanswered extends Error {}

async function ask<T>(route: string, method = "GET", body?: unknown): Promise<T> {
  const wanted: RequestInit = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) wanted.body = JSON.stringify(body);
  const answer = await fetch(route, wanted);
  if (!answer.ok) throw new Unanswered(`${method} ${route}: ${answer.status}`);
  return (await answer.json()) as T;
}

export interface Guest {
  name: string;
}

let guest: Promise<Guest> | null = null;

/** The guest whose cookie this browser carries; the first call fetches one, and so does a fresh one. */
export function me(fresh = false): Promise<Guest> {
  if (fresh) guest = null;
  guest ??= ask<Guest>("/api/me").catch((error: unknown) => {
    guest = null;
    throw error;
  });
  return guest;
}

export async function rename(name: string): Promise<void> {
  const before = await me();
  if (!name || name === before.name) return;
  const renamed = await ask<Guest>("/api/me", "PUT", { name });
  guest = Promise.resolve(renamed);
}

export async function games(): Promise<GameListed[]> {
  await me();
  const listed = await ask<GameListed[] | { games: GameListed[] }>("/api/games");
  return Array.isArray(listed) ? listed : listed.games;
}

export async function newTable(game: string, options: Agreed, seats: SeatWanted[]): Promise<string> {
  await me();
  const made = await ask<{ table: string; link: string }>("/api/tables", "POST", { game, options, seats });
  return made.table;
}
