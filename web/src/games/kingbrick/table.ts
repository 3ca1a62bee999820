// KingBrick at the table: what the page around the board needs to know of a view.
import type { Message, Result } from "../../lib/protocol";
import type { GameTable } from "../contract";
import cites from "./cites.json";
import EndNote from "./EndNote.svelte";
import Play from "./Play.svelte";
import { FINALE } from "./Result.svelte";
import Rules from "./Rules.svelte";
import { NAME, type Brick, type Legal, type View } from "./view";

/** How many bricks fight for each seat. */
function fighting({ stage, bricks }: View): number[] {
  if (stage === "setup") return [];
  return [1, 2].map((seat) => bricks.filter(({ army, where }) => army === seat && where !== "out").length);
}

function note({ stage, sides }: View, seat: number, onMove: number[] | null): Message {
  const colour: Message = { key: seat === 1 ? "kingbrick.seat.red" : "kingbrick.seat.blue" };
  const { ready, points } = sides[seat - 1]!;
  if (stage === "setup") {
    const isReady = ready || (onMove !== null && !onMove.includes(seat)); // the view shows nothing of the other's set-up
    return { key: isReady ? "kingbrick.seat.ready" : "kingbrick.seat.setting_up", params: { colour } };
  }
  return points === null ? colour : { key: "kingbrick.seat.army", params: { colour, points } };
}

/** What may still be done at the end of a turn, if it is one thing. */
function finishing(legal: Legal | undefined): string {
  if (legal?.flick) return "kingbrick.asks.again";
  const [one, ...more] = (["hide", "strike", "freeze"] as const).filter((act) => legal?.[act]?.length);
  return one && !more.length ? `kingbrick.asks.finish.${one}` : "kingbrick.asks.finish";
}

/** A brick as a message: the page says it in its language. */
function named(bricks: Brick[], name: string): Message | string {
  const kind = bricks.find((brick) => brick.name === name)?.kind;
  return kind ? { key: "kingbrick.brick", params: { kind: { key: `kingbrick.${NAME[kind]}` }, name } } : name;
}

function asks({ asked, flicks, bricks }: View, legal: Legal | undefined): Message | null {
  if (!asked) return null;
  if (asked.what === "setup") return { key: "kingbrick.asks.setup" };
  if (asked.what === "place") return { key: "kingbrick.asks.place", params: { brick: named(bricks, asked.brick ?? "") } };
  if (asked.what === "finish") return { key: finishing(legal) };
  return flicks > 1 ? { key: "kingbrick.asks.flicks", params: { n: flicks } } : { key: "kingbrick.asks.turn" };
}

function ended({ bricks }: View, { reason, winners }: Result): Message | null {
  if (reason === "limit") return { key: "kingbrick.ended.limit" };
  if (reason !== "complete") return null;
  const fallen = bricks.filter(({ kind, where }) => kind === "K" && where === "out");
  if (fallen.length > 1) return { key: "kingbrick.ended.both" };
  return { key: fallen.some(({ side }) => winners.includes(side)) ? "kingbrick.ended.foul" : "kingbrick.ended" };
}

const SETTING_UP = /^(army|stand|ready)\b/;

const table: GameTable = {
  Play,
  Rules,
  cites,
  EndNote,
  finale: FINALE,
  points: (view) => fighting(view as View),
  seatColour: (_, seat) => (seat === 1 ? "var(--red)" : "var(--blue)"),
  seatNote: (view, seat, onMove) => note(view as View, seat, onMove),
  // who was ready last and begins has a line of the log for the set-up, and one for the first turn
  startsTurn: ({ move }, turn) => !SETTING_UP.test(move) && turn.some((entry) => SETTING_UP.test(entry.move)),
  asks: (view, legal) => asks(view as View, legal as Legal | undefined),
  ended: (view, result) => ended(view as View, result),
};

export default table;
