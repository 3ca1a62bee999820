// AFTAEBR at the table: what the page around the board shows of a view.
import type { GameTable } from "../contract";
import cites from "./cites.json";
import type { Legal, View } from "./geometry";
import EndNote from "./EndNote.svelte";
import { banner, glimpse } from "./glimpses";
import Picture from "./Picture.svelte";
import { FILL } from "./Piece.svelte";
import Play from "./Play.svelte";
import Rules from "./Rules.svelte";
import SeatNote from "./SeatStock.svelte";

const table: GameTable = {
  Play,
  Rules,
  cites,
  SeatNote,
  points: (view) => (view as View).pieces,
  seatNote: () => null,
  seatColour: (view, seat) => {
    const colour = (view as View).colours[seat - 1];
    return colour ? FILL[colour] : null;
  },
  EndNote,
  out: (view) => (view as View).out,
  asks: (given, legal) => {
    const view = given as View;
    if (view.phase === "colours") return { key: "aftaebr.asks.colour" };
    if (view.phase !== "turns") return null;
    if ((legal as Legal | undefined)?.pass) return { key: "aftaebr.asks.pass" };
    if (view.extra) return { key: "aftaebr.asks.again" };
    return { key: view.last_round ? "aftaebr.asks.last_round" : "aftaebr.asks.put" };
  },
  ended: (given, result) => {
    if (result.reason === "time") return { key: "aftaebr.ended.time" };
    if (result.reason !== "complete") return null;
    const left = (given as View).pieces.filter((pieces) => pieces > 0).length;
    return { key: left > 1 ? "aftaebr.ended.stuck" : "aftaebr.ended.last" };
  },
  Picture,
  glimpse,
  banner,
  startsTurn: () => true,
};

export default table;
