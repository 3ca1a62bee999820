// AFTAEBR on the shelf.
import type { Agreed } from "../../lib/protocol";
import type { GameFolder, Setting } from "../contract";
import { whoBegins } from "../settings";
import Art from "./BoxArt.svelte";

const MINUTES = [null, 3, 5, 10, 20, 30, 45, 60];
const TURN_SECONDS = [30, 15, 60, 120];

function settings(agreed: Agreed): Setting[] {
  return [
    whoBegins(agreed),
    {
      option: "minutes",
      about: { key: "aftaebr.minutes.about" },
      choices: MINUTES.map((n) => ({
        value: n,
        label: n ? { key: "aftaebr.minutes.some", params: { n } } : { key: "aftaebr.minutes.none" },
      })),
    },
    ...(agreed.minutes ? [turnSeconds] : []),
  ];
}

const turnSeconds: Setting = {
  option: "turn_seconds",
  about: { key: "aftaebr.turn_seconds.about" },
  choices: TURN_SECONDS.map((n) => ({ value: n, label: { key: "aftaebr.turn_seconds.some", params: { n } } })),
};

const folder: GameFolder = {
  Art,
  tint: "#e3cfa6",
  players: "2–4",
  minutes: "20",
  settings,
  timed: (agreed) => Boolean(agreed.minutes),
  table: async () => (await import("./table")).default,
};

export default folder;
