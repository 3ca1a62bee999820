// The size of the screen. The styles of compact parts repeat the same media query.

/** A narrow upright screen, or a phone on its side: parts are compact, and the chat opens in a dialog. */
export const COMPACT = "(max-width: 860px) and (max-aspect-ratio: 1/1), (max-height: 520px)";
