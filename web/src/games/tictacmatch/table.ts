// Tic-Tac Match at the table: what the page around the board shows of a view.
import type { GameTable } from "../contract";
import cites from "./cites.json";
import type { View } from "./cards";
import { banner, glimpse } from "./glimpses";
import Identity from "./Identity.svelte";
import Outcome from "./Outcome.svelte";
import Picture from "./Picture.svelte";
import Play from "./Play.svelte";
import Rules from "./Rules.svelte";

const ASKS = ["play", "first", "second", "target"];

const table: GameTable = {
  Play,
  Rules,
  cites,
  SeatMark: Identity,
  seatNote: (view, seat) => ((view as View).dealer === seat ? { key: "tictacmatch.dealer" } : null),
  asks: (view) => {
    const { phase } = view as View;
    return ASKS.includes(phase) ? { key: `tictacmatch.asks.${phase}` } : null;
  },
  ended: (_, result) => (result.reason === "limit" ? { key: "tictacmatch.ended.limit" } : null),
  EndNote: Outcome,
  Picture,
  glimpse,
  banner,
};

export default table;
