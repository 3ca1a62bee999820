// Tic-Tac Match on the shelf.
import type { Agreed } from "../../lib/protocol";
import type { GameFolder, Setting } from "../contract";
import Art from "./BoxArt.svelte";

function settings(agreed: Agreed): Setting[] {
  const seats = Array.from({ length: Number(agreed.players) }, (_, k) => k + 1);
  const teams: Setting = {
    option: "teams",
    choices: [true, false].map((value) => ({ value, label: { key: `tictacmatch.teams.${value}` } })),
  };
  return [
    ...(agreed.players === 4 ? [teams] : []),
    {
      option: "start",
      choices: [
        { value: "lot", label: { key: "tictacmatch.start.lot" } },
        ...seats.map((seat) => ({ value: seat, label: { key: "tictacmatch.start.seat", params: { seat } } })),
      ],
    },
  ];
}

const folder: GameFolder = {
  Art,
  tint: "#6244a8",
  players: "2, 4",
  minutes: "10",
  settings,
  team: (agreed, seat) => (agreed.teams ? ((seat - 1) % 2) + 1 : null),
  table: async () => (await import("./table")).default,
};

export default folder;
