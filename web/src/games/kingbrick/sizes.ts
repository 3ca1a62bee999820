// Sizes of the drawing that are no part of the game.

/** How thick the board is, in mm: what falls off it falls this deep. */
export const SLAB = 26;
/** A brick that is rolled is shown this many times as large. */
export const ROLLED = 3;
