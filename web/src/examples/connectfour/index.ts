// Connect Four on the shelf: the example of a game's folder. The page shows it if the server has the game (`make play-examples`).
import type { GameFolder } from "../../games/contract";
import Art from "./BoxArt.svelte";

const folder: GameFolder = {
  Art,
  tint: "#bcd0ee",
  players: "2",
  minutes: "5",
  settings: () => [],
  table: async () => (await import("./table")).default,
};

export default folder;
