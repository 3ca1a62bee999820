// The games that have a folder here or in examples. The page loads a folder only if the server has the game.
import { loadWords } from "../lib/words.svelte";
import type { GameFolder } from "./contract";

const FOLDERS = import.meta.glob<GameFolder>("./*/index.ts", { import: "default" });
const EXAMPLES = import.meta.glob<GameFolder>("../examples/*/index.ts", { import: "default" });

/** Return a game's folder with its words loaded, or null: the server may have games that this page cannot draw. */
export async function openFolder(key: string): Promise<GameFolder | null> {
  const open = FOLDERS[`./${key}/index.ts`] ?? EXAMPLES[`../examples/${key}/index.ts`];
  if (!open) return null;
  const [folder] = await Promise.all([open(), loadWords(key)]);
  return folder;
}
