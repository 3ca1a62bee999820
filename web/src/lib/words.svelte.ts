// The words of the page in the reader's language. A key's first part names its room: `core`, a game, its lessons, or the page itself.
import { untrack } from "svelte";
import type ui from "../words/en.json";
import type { Message, Value } from "./protocol";
import { remember, remembered } from "./storage";

export const LANGUAGES = { en: "English", it: "Italiano" } as const;
export type Language = keyof typeof LANGUAGES;
export type UiKey = keyof typeof ui;
type Words = Record<string, string>;
type Load = () => Promise<Words>;

const PAGE = import.meta.glob<Words>("../words/*.json", { import: "default" });
const CORE = import.meta.glob<Words>("../../../src/ludoteca/core/words/*.json", { import: "default" });
const GAMES_SAY = import.meta.glob<Words>("../../../src/ludoteca/games/*/words/*.json", { import: "default" });
const GAMES_SHOW = import.meta.glob<Words>("../games/*/words/*.json", { import: "default" });
const GAMES_TEACH = import.meta.glob<Words>("../../../src/ludoteca/games/*/lessons/*.json", { import: "default" });
const EXAMPLES = import.meta.glob<Words>(["../examples/*/words/*.json", "../../../examples/*/words/*.json"], { import: "default" });

let language = $state<Language>(firstLanguage());
let known = $state.raw<Record<string, Words>>({});
const rooms = new Set(["page", "core"]);

function firstLanguage(): Language {
  const wanted = [remembered("language"), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return (wanted.find((tag) => tag && tag in LANGUAGES) as Language | undefined) ?? "en";
}

export function currentLanguage(): Language {
  return language;
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  remember("language", chosen);
  await load([...rooms], chosen);
  language = chosen;
  document.documentElement.lang = chosen;
}

/** Load the words of these rooms in the current language. */
export async function loadWords(...wanted: string[]): Promise<void> {
  for (const room of wanted) rooms.add(room);
  await load(wanted, untrack(() => language));
  document.documentElement.lang = language;
}

async function load(wanted: string[], of: Language): Promise<void> {
  const missing = untrack(() => wanted.filter((room) => !(`${room}/${of}` in known)));
  if (!missing.length) return;
  const loaded = await Promise.all(missing.map(async (room) => [`${room}/${of}`, await wordsOf(room, of)] as const));
  known = { ...known, ...Object.fromEntries(loaded) };
}

async function wordsOf(room: string, of: Language): Promise<Words> {
  const files: (Load | undefined)[] =
    room === "page"
      ? [PAGE[`../words/${of}.json`]]
      : room === "core"
        ? [CORE[`../../../src/ludoteca/core/words/${of}.json`]]
        : room.endsWith("/lessons")
          ? [GAMES_TEACH[`../../../src/ludoteca/games/${room}/${of}.json`]]
        : [
            GAMES_SAY[`../../../src/ludoteca/games/${room}/words/${of}.json`] ?? EXAMPLES[`../../../examples/${room}/words/${of}.json`],
            GAMES_SHOW[`../games/${room}/words/${of}.json`] ?? EXAMPLES[`../examples/${room}/words/${of}.json`],
          ];
  const parts = await Promise.all(files.map((file) => file?.() ?? {}));
  return Object.assign({}, ...parts);
}

type Params = Record<string, Value>;

/** The page's own words. */
export function t(key: UiKey, params: Params = {}): string {
  return fill(known[`page/${language}`]?.[key] ?? key, params);
}

/** Return whether the page has words for a key that comes from the server, for instance a level. */
export function hasWords(key: string): key is UiKey {
  return key in (known[`page/${language}`] ?? {});
}

/** Return whether a room has words for a key. */
export function hasWordsOf(room: string, key: string): boolean {
  return key in (known[`${room}/${language}`] ?? {});
}

/** Return the words of a room, for instance a game. */
export function words(room: string, key: string, params: Params = {}): string {
  return fill(known[`${room}/${language}`]?.[key] ?? key, params);
}

/** Return the name of a section of a game's rules, the same in every language: "jokers" for the heading `rules.jokers.title`. */
export function sectionOf(room: string, heading: string): string | null {
  const found = Object.entries(known[`${room}/${language}`] ?? {}).find(([key, text]) => text === heading && /^rules\.\w+\.title$/.test(key));
  return found ? found[0].split(".")[1]! : null;
}

/** Return a message in words. Seats in it are replaced by their names, if `names` is given. */
export function say(message: Message, names?: (seat: number) => string): string {
  const dot = message.key.indexOf(".");
  const params = { ...message.params };
  if (names && typeof params.seat === "number") params.seat = names(params.seat);
  for (const [name, value] of Object.entries(params)) params[name] = spoken(value, names);
  return words(message.key.slice(0, dot), message.key.slice(dot + 1), params);
}

function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name];
    return value === undefined ? placeholder : spoken(value);
  });
}

function spoken(value: Value, names?: (seat: number) => string): string {
  if (Array.isArray(value)) return value.map((part) => say(part, names)).join(", ");
  return typeof value === "object" ? say(value, names) : String(value);
}

/** Return the text as a sentence: with a capital letter, and a full stop where it has none. */
export function sentence(text: string): string {
  return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}

/** Return the text with a capital letter, to begin a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
