// Pin Point at the table: what a player has chosen before a pin is put.
import { expect, test } from "vitest";
import { Choice } from "../src/games/pinpoint/choice.svelte.ts";
import type { Legal } from "../src/games/pinpoint/geometry.ts";

test("a joker that was asked for in one position is not asked for in the next one", () => {
  const legal: Legal = { pins: ["R", "B"], holes: ["a1", "a2"], joker: true, figures: {}, worth: {} };
  const pins = new Choice();
  pins.settle(legal);
  pins.switchJoker();
  pins.settle({ ...legal }); // the server says the same again
  expect(pins.joker).toBe(true);
  pins.settle({ ...legal, holes: ["a2"] });
  expect(pins.joker).toBe(false);
});
