// Where the label of a pull stands: beside the hand, on the side away from the brick and from what it is aimed at.
export type Pixel = readonly [number, number];

const MARGIN = 6; // pixels between the label and the edge of the picture

/** Return the upper left corner of a label of that size, so that it ends where the picture does. */
export function beside(hand: Pixel, brick: Pixel, size: Pixel, picture: Pixel, gap: number): [number, number] {
  const [x, y] = hand;
  const [wide, high] = size;
  const centred = [clamped(x - wide / 2, wide, picture[0]), clamped(y - high / 2, high, picture[1])] as const;
  const right: Pixel = [x + gap, centred[1]];
  const left: Pixel = [x - gap - wide, centred[1]];
  const below: Pixel = [centred[0], y + gap];
  const above: Pixel = [centred[0], y - gap - high];
  const [dx, dy] = [x - brick[0], y - brick[1]];
  const sides = dx < 0 ? [left, right] : [right, left];
  const ends = dy < 0 ? [above, below] : [below, above];
  // pulled along the picture the far side covers the brick: then under or over the hand is better
  const order = Math.abs(dx) > Math.abs(dy) ? [sides[0]!, ...ends, sides[1]!] : [...sides, ...ends];
  const fits = ([a, b]: Pixel): boolean => a >= MARGIN && b >= MARGIN && a + wide <= picture[0] - MARGIN && b + high <= picture[1] - MARGIN;
  const [a, b] = order.find(fits) ?? ends[0]!;
  return [clamped(a, wide, picture[0]), clamped(b, high, picture[1])];
}

const clamped = (at: number, length: number, picture: number): number => Math.max(MARGIN, Math.min(at, picture - length - MARGIN));
