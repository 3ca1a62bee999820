// Match'n Lock! at the table: what the page around the board shows of a view.
import { FILL, NAME } from "../../lib/colours";
import type { Message } from "../../lib/protocol";
import type { GameTable } from "../contract";
import cites from "./cites.json";
import EndNote from "./EndNote.svelte";
import { standingAlone, type Marks, type View } from "./geometry";
import { glimpse, startsTurn } from "./glimpses";
import Picture from "./Picture.svelte";
import Play from "./Play.svelte";
import Rules from "./Rules.svelte";

function asks(view: View): Message | null {
  if (view.turn === null) return null;
  if (view.in_hand) return { key: "matchnlock.asks.place" };
  const anyLoose = Object.values(view.board).some((token) => !token.locked);
  return { key: `matchnlock.asks.${view.must_draw || view.seats.length === 1 || !anyLoose ? "draw" : "turn"}` };
}

/** The one-player game is played against the three other colours together. */
function endedAlone(view: View, won: boolean): Message {
  const { mine, others } = standingAlone(view);
  return { key: `matchnlock.alone.${won ? "won" : "lost"}`, params: { mine, others } };
}

const table: GameTable = {
  Play,
  Rules,
  cites,
  EndNote,
  points: (view) => (view as View).totals,
  seatNote: (view, seat) => ({ key: "matchnlock.owns", params: { colour: { key: "matchnlock." + NAME[(view as View).seats[seat - 1]!.colour] } } }),
  asks: (view) => asks(view as View),
  ended: (view, result) => {
    if (result.reason !== "complete") return null;
    return (view as View).seats.length === 1 ? endedAlone(view as View, result.winners.length > 0) : { key: "matchnlock.board_full" };
  },
  seatColour: (view, seat) => FILL[(view as View).seats[seat - 1]!.colour],
  earned: (view, entry) => {
    const { closed = [] } = (entry.marks ?? {}) as Marks;
    return (view as View).seats.map(({ colour }) => closed.reduce((sum, circle) => sum + (circle.colour === colour ? circle.points : 0), 0));
  },
  Picture,
  glimpse,
  startsTurn,
};

export default table;
