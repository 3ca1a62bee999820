// Pin Point on the shelf.
import type { Agreed } from "../../lib/protocol";
import type { GameFolder, Setting } from "../contract";
import { pairs, teamOf, whoBegins } from "../settings";
import Art from "./BoxArt.svelte";

const SECONDS = [null, 15, 30, 60, 120];

function settings(agreed: Agreed): Setting[] {
  return [
    ...pairs(agreed, false),
    whoBegins(agreed),
    {
      option: "turn_seconds",
      about: { key: "pinpoint.turn_seconds.about" },
      choices: SECONDS.map((n) => ({
        value: n,
        label: n ? { key: "pinpoint.turn_seconds.some", params: { n } } : { key: "pinpoint.turn_seconds.none" },
      })),
    },
  ];
}

const folder: GameFolder = {
  Art,
  tint: "#ead9b8",
  players: "2–4",
  minutes: "30",
  settings,
  timed: (agreed) => Boolean(agreed.turn_seconds),
  team: teamOf,
  table: async () => (await import("./table")).default,
};

export default folder;
