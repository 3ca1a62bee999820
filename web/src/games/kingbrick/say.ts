// Bricks in words.
import type { Value } from "../../lib/protocol";
import { capital, words } from "../../lib/words.svelte";
import { short } from "./notation";
import { NAME, type Brick, type Kind } from "./view";

export const say = (key: string, params: Record<string, Value> = {}): string => words("kingbrick", key, params);

export const kindWords = (kind: Kind): string => capital(say(NAME[kind]));

/** A brick and its name: "Champion r3". */
export const brickWords = ({ kind, name }: Pick<Brick, "kind" | "name">): string => say("brick", { kind: kindWords(kind), name });

/** A brick, how it looks and where it lies. */
export function lyingWords({ kind, name, mood, pose, frozen }: Brick): string {
  const face = mood && mood !== "plain" ? say(mood) : "";
  const at = pose ? say("at", { x: short(pose[0]!, 0), y: short(pose[1]!, 0) }) : "";
  return [brickWords({ kind, name }), face, frozen ? say("is_frozen") : "", at].filter(Boolean).join(", ");
}
