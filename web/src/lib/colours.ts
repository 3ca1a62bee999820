// The four colours of play. Each has a shape too, so that nothing depends on colour alone.

export const COLOURS = ["R", "Y", "G", "B"] as const;
export type Colour = (typeof COLOURS)[number];

export const NAME: Record<Colour, string> = { R: "red", Y: "yellow", G: "green", B: "blue" };
export const FILL: Record<Colour, string> = { R: "var(--red)", Y: "var(--yellow)", G: "var(--green)", B: "var(--blue)" };
/** Triangle, disc, square, diamond, about one unit from the middle to the edge. */
export const SHAPE: Record<Colour, string> = {
  R: "M0 -1L.94 .66H-.94Z",
  Y: "M-.78 0a.78 .78 0 1 0 1.56 0a.78 .78 0 1 0 -1.56 0Z",
  G: "M-.74 -.74H.74V.74H-.74Z",
  B: "M0 -1L.98 0L0 1L-.98 0Z",
};
