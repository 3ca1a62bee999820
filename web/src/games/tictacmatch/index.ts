// Tic-Tac Match on the shelf.
import type { GameFolder } from "../contract";
import { pairs, teamOf, whoBegins } from "../settings";
import Art from "./BoxArt.svelte";

const folder: GameFolder = {
  Art,
  tint: "#6244a8",
  players: "2, 4",
  minutes: "10",
  settings: (agreed) => [...pairs(agreed, true, "tictacmatch.teams.false"), whoBegins(agreed)],
  team: teamOf,
  table: async () => (await import("./table")).default,
};

export default folder;
