// A seat has the colour of its pieces, wherever the page shows it: app.css reads --own-1 and so on.
import type { GameTable } from "../games/contract";

/** Colour the seats as a view says. Return a function that takes the colours away. */
export function colourSeats(seats: number[], play: GameTable | null, view: unknown): () => void {
  const { style } = document.documentElement;
  for (const seat of seats) style.setProperty(`--own-${seat}`, view ? (play?.seatColour?.(view, seat) ?? null) : null);
  return () => seats.forEach((seat) => style.removeProperty(`--own-${seat}`));
}
