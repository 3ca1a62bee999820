// Pieces in words.
import type { Message } from "../../lib/protocol";
import { say } from "../../lib/words.svelte";
import { colourOf, NAME, numberOf, type Colour, type Piece } from "./geometry";

export const colourMessage = (colour: Colour): Message => ({ key: "aftaebr." + NAME[colour] });

export function pieceWords(piece: Piece): string {
  return say({ key: "aftaebr.piece", params: { colour: colourMessage(colourOf(piece) as Colour), number: numberOf(piece) } });
}
