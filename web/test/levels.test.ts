// The level that the page offers first.
import { expect, test } from "vitest";
import { usualLevel } from "../src/lib/levels.ts";

const game = { key: "pinpoint", bots: ["novice", "casual", "club"], usual_bot: "casual" };

test("the server names the level that is offered first", () => {
  expect(usualLevel(game)).toBe("casual");
  expect(usualLevel({ ...game, usual_bot: "club" })).toBe("club");
  expect(usualLevel({ ...game, bots: [], usual_bot: null })).toBe("");
});
