import { describe, expect, it } from "vitest";
import { againstOf, canDelete, filtered, NOBODY, outcomeOf, PEOPLE, winsOf } from "../src/lib/my-matches";
import type { MyTable } from "../src/lib/protocol";

const LEVELS = ["novice", "casual", "club", "expert"];
const me = { name: "Ada", bot: null, mine: true };
const friend = { name: "Ben", bot: null, mine: false };
const bot = (level: string) => ({ name: null, bot: level, mine: false });

function table(seats: { name: string | null; bot: string | null; mine: boolean }[], winners: number[] | null, more: Partial<MyTable> = {}): MyTable {
  const result = winners && { winners, scores: seats.map(() => 0), reason: "complete" };
  const seated = seats.map((seat, k) => ({ seat: k + 1, ...seat }));
  return { table: "t", game: "pinpoint", options: {}, seats: seated, state: winners ? "over" : "running", your_turn: false, n: 0, result, changed: 0, open: false, creator: true, ...more };
}

describe("my matches", () => {
  it("say how they ended for me", () => {
    expect(outcomeOf(table([me, bot("club")], [1]))).toBe("won");
    expect(outcomeOf(table([me, bot("club")], [2]))).toBe("lost");
    expect(outcomeOf(table([me, bot("club")], []))).toBe("tie");
    expect(outcomeOf(table([me, bot("club")], [1, 2]))).toBe("tie");
    expect(outcomeOf(table([me], []))).toBe("lost");
    expect(outcomeOf(table([me, me], [1]))).toBeNull();
    expect(outcomeOf(table([me, bot("club")], null))).toBeNull();
  });

  it("are against people, the strongest bot, or nobody", () => {
    expect(againstOf(table([me, bot("novice"), bot("club")], null), LEVELS)).toBe("club");
    expect(againstOf(table([me, friend, bot("club")], null), LEVELS)).toBe(PEOPLE);
    expect(againstOf(table([me, me], null), LEVELS)).toBe(NOBODY);
  });

  it("are counted by game and level", () => {
    const all = [table([me, bot("club")], [1]), table([me, bot("club")], [2]), table([me, friend], [1]), table([me, bot("club")], null), table([me, bot("novice")], [1], { game: "aftaebr" })];
    const wins = winsOf(all, LEVELS);
    expect(wins.get("pinpoint")).toEqual(new Map([["club", { won: 1, of: 2 }], [PEOPLE, { won: 1, of: 1 }]]));
    expect(wins.get("aftaebr")).toEqual(new Map([["novice", { won: 1, of: 1 }]]));
  });

  it("are filtered", () => {
    const all = [table([me, bot("club")], [1]), table([me, bot("novice")], [2]), table([me, bot("club")], null, { game: "aftaebr" })];
    expect(filtered(all, { game: "", against: "", outcome: "" }, LEVELS)).toHaveLength(3);
    expect(filtered(all, { game: "", against: "club", outcome: "" }, LEVELS)).toEqual([all[0], all[2]]);
    expect(filtered(all, { game: "aftaebr", against: "", outcome: "won" }, LEVELS)).toEqual([]);
    expect(filtered(all, { game: "", against: "", outcome: "lost" }, LEVELS)).toEqual([all[1]]);
  });

  it("can be deleted while they disturb nobody", () => {
    expect(canDelete(table([me, bot("club")], null))).toBe(true);
    expect(canDelete(table([me, me], null))).toBe(true);
    expect(canDelete(table([me, friend], null))).toBe(false);
    expect(canDelete(table([me, bot("club")], [1]))).toBe(false);
    expect(canDelete(table([me, friend], null, { state: "waiting" }))).toBe(true);
    expect(canDelete(table([me, friend], null, { state: "waiting", creator: false }))).toBe(false);
  });
});
