// How much a film slows down by itself: around the hit at a King, and up to the end where a King falls.
const DRAMA = 4; // times slower
const [BEFORE, AFTER] = [0.08, 0.3]; // seconds of the film around the hit

/** Return the slowness at a time of a film in which a King is hit at `hit`, in seconds; Infinity where none is. */
export function dramaAt(time: number, hit: number, falls: boolean): number {
  return time > hit - BEFORE && (falls || time < hit + AFTER) ? DRAMA : 1;
}
