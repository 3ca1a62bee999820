// Bricks in words.
import type { Value } from "../../lib/protocol";
import { capital, words } from "../../lib/words.svelte";
import { short } from "./notation";
import { NAME, type Brick, type Kind } from "./view";

export const say = (key: string, params: Record<string, Value> = {}): string => words("kingbrick", key, params);

export const kindWords = (kind: Kind): string => capital(say(NAME[kind]));

/** A brick and its name: "Champion r3". */
export const brickWords = ({ kind, name }: Pick<Brick, "kind" | "name">): string => say("brick", { kind: kindWords(kind), name });

/** A brick and how it looks: "Champion r3, happy". */
export function lookWords({ kind, name, mood, frozen }: Brick): string {
  const face = mood && mood !== "plain" ? say(mood) : "";
  return [brickWords({ kind, name }), face, frozen ? say("is_frozen") : ""].filter(Boolean).join(", ");
}

/** A brick, how it looks and where it lies, for players who do not see the board. */
export function lyingWords(brick: Brick): string {
  const at = brick.pose ? say("at", { x: short(brick.pose[0]!, 0), y: short(brick.pose[1]!, 0) }) : "";
  return [lookWords(brick), at].filter(Boolean).join(", ");
}
