// Pin Point at the table: what the page around the board shows of a view.
import type { GameTable } from "../contract";
import cites from "./cites.json";
import type { View } from "./geometry";
import { glimpse } from "./glimpses";
import Picture from "./Picture.svelte";
import Play from "./Play.svelte";
import Rules from "./Rules.svelte";

const table: GameTable = {
  Play,
  Rules,
  cites,
  points: (view) => (view as View).points,
  totals: (view) => (view as View).totals,
  seatNote: (view, seat) => ({ key: "pinpoint.jokers_left", params: { n: (view as View).jokers[seat - 1] ?? 0 } }),
  asks: (view) => {
    const left = (view as View).hand.length;
    return left ? { key: `pinpoint.pins_left.${left}` } : null;
  },
  ended: (_, result) => (result.reason === "complete" ? { key: "pinpoint.board_full" } : null),
  Picture,
  glimpse,
};

export default table;
