// Boards for pictures: pins named as in the notation, `Re5`, or `Ke5` for a black end.
import { HOLES } from "./geometry";

export function boardOf(pins: string): string {
  const letters = new Map(pins.split(" ").map((pin) => [pin.slice(1), pin[0]!]));
  return HOLES.map((hole) => letters.get(hole) ?? ".").join("");
}
