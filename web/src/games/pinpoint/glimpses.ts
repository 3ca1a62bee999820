// Pin Point in the log: small pins.
import type { Entry } from "../../lib/protocol";
import type { Glimpse } from "../contract";
import { colourOfMove } from "./geometry";

const PIN = /^[RYGB](=[RYGB])?([a-j]\d+)$/;

export function glimpse({ move }: Entry): Glimpse[] | null {
  const pins = move.replace(/^setup /, "").split(" ");
  if (!pins.every((pin) => PIN.test(pin))) return null;
  return pins.map((pin) => ({ picture: { colour: colourOfMove(pin), joker: pin.includes("=") }, text: PIN.exec(pin)![2]! }));
}
