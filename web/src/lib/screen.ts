// How large the screen is. The same query stands in the styles of the parts that draw themselves smaller then.

/** A narrow screen held upright, or a phone on its side: parts are compact, and the talk has a sheet of its own. */
export const COMPACT = "(max-width: 860px) and (max-aspect-ratio: 1/1), (max-height: 520px)";
