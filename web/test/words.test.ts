// Every language is complete: the same keys, the same placeholders.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const GAMES_SAY = join(ROOT, "src/ludoteca/games");
const GAMES_SHOW = join(ROOT, "web/src/games");
const games = readdirSync(GAMES_SHOW, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const examples = readdirSync(join(ROOT, "examples")).filter((name) => existsSync(join(ROOT, "examples", name, "words")));

const folders = [
  "web/src/words",
  "src/ludoteca/core/words",
  ...games.flatMap(({ name }) => [`src/ludoteca/games/${name}/words`, `web/src/games/${name}/words`]),
  ...games.map(({ name }) => `src/ludoteca/games/${name}/lessons`).filter((folder) => existsSync(join(ROOT, folder))),
  ...examples.flatMap((name) => [`examples/${name}/words`, `web/src/examples/${name}/words`]),
];

const read = (folder: string, language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, folder, language + ".json"), "utf-8")) as Record<string, string>;
const keysOf = (text: string): string[] => [...text.matchAll(/^\s*("[^"]+")\s*:/gm)].map(([, key]) => key!);
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(folders)("%s", (folder) => {
  const languages = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith(".json")).map((file) => file.replace(".json", ""));
  const english = read(folder, "en");

  test("is there in English and Italian", () => expect(languages).toEqual(expect.arrayContaining(["en", "it"])));

  test.each(languages)("%s has every key once: of two the browser would take the last", (language) => {
    const keys = keysOf(readFileSync(join(ROOT, folder, language + ".json"), "utf-8"));
    expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([]);
    expect(keys).toHaveLength(Object.keys(english).length);
  });

  test.each(languages)("%s has the keys and the placeholders of English", (language) => {
    const words = read(folder, language);
    expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(words)) {
      expect(text.trim(), key).not.toBe("");
      expect(placeholders(text), key).toEqual(placeholders(english[key]!));
    }
  });
});

test.each(games.map(({ name }) => name))("%s: what the server says and what the page shows share no key", (game) => {
  const said = Object.keys(read(join("src/ludoteca/games", game, "words"), "en"));
  const shown = new Set(Object.keys(read(join("web/src/games", game, "words"), "en")));
  expect(said.filter((key) => shown.has(key))).toEqual([]);
  expect(readdirSync(join(GAMES_SAY, game, "words")).length).toBeGreaterThan(1);
});

test("no Italian article stands before a percentage: it would be another one before 8, 11 and 80", () => {
  for (const folder of folders)
    for (const [key, text] of Object.entries(read(folder, "it"))) expect(text, key).not.toMatch(/\b(il|lo|al|del|dal|nel|sul|col) \{\w+\}\s?%/i);
});
