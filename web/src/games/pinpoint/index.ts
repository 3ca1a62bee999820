// Pin Point on the shelf.
import type { Agreed } from "../../lib/protocol";
import type { GameFolder, Setting } from "../contract";
import Art from "./BoxArt.svelte";

const SECONDS = [null, 15, 30, 60, 120];

function settings(agreed: Agreed): Setting[] {
  const seats = Array.from({ length: Number(agreed.players) }, (_, k) => k + 1);
  const teams: Setting = {
    option: "teams",
    choices: [false, true].map((value) => ({ value, label: { key: `pinpoint.teams.${value}` } })),
  };
  return [
    ...(agreed.players === 4 ? [teams] : []),
    {
      option: "start",
      choices: [
        { value: "lot", label: { key: "pinpoint.start.lot" } },
        ...seats.map((seat) => ({ value: seat, label: { key: "pinpoint.start.seat", params: { seat } } })),
      ],
    },
    {
      option: "turn_seconds",
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
  team: (agreed, seat) => (agreed.teams ? ((seat - 1) % 2) + 1 : null),
  table: async () => (await import("./table")).default,
};

export default folder;
