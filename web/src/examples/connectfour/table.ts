// Connect Four at the table: what the page around the board needs to know of a view.
import type { GameTable } from "../../games/contract";
import type { View } from "./board";
import cites from "./cites.json";
import Play from "./Play.svelte";
import Rules from "./Rules.svelte";

const table: GameTable = {
  Play,
  Rules,
  cites,
  seatNote: (_, seat) => ({ key: `connectfour.disc.${seat}` }),
  asks: (view) => ((view as View).turn === null ? null : { key: "connectfour.asks" }),
  ended: (_, result) => (result.reason === "complete" && !result.winners.length ? { key: "connectfour.board_full" } : null),
};

export default table;
