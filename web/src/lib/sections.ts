// Names of sections of the rules in addresses, and the section that a refusal cites.
import type { GameTable } from "../games/contract";
import type { Message } from "./protocol";
import { at } from "./root";

/** Return the address of the rule that a refusal cites; null if it cites none. */
export function citedRule(game: string | null, table: GameTable | null, refusal: Message): string | null {
  const [room, name] = [refusal.key.slice(0, refusal.key.indexOf(".")), refusal.key.slice(refusal.key.indexOf(".") + 1)];
  const section = room === game ? table?.cites?.[name] : null;
  return section ? at(`/rules/${game}#${section}`) : null;
}

/** Return a heading as a part of an address: "Six in a line!" is "six-in-a-line". No two sections of a page have the same. */
export function sectionName(heading: string, taken: readonly string[]): string {
  const plain = heading.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const name = plain.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "section";
  let free = name;
  for (let n = 2; taken.includes(free); n += 1) free = `${name}-${n}`;
  return free;
}
