// Where the label of a pull stands: beside the hand, and not on the line from there over the brick to what it is aimed at.
export type Pixel = readonly [number, number];

const MARGIN = 6; // pixels between the label and the edge of the picture
const AHEAD = 300; // pixels of the aim that stay free
const STEP = 10;

/** Return the upper left corner of a label of that size in the picture: next to the hand, or else in a corner. */
export function beside(hand: Pixel, brick: Pixel, size: Pixel, picture: Pixel, gap: number): [number, number] {
  const [x, y] = hand;
  const [wide, high] = size;
  const [dx, dy] = [brick[0] - x, brick[1] - y];
  const [most, low] = [picture[0] - wide - MARGIN, picture[1] - high - MARGIN];
  const within = (at: number, last: number): number => Math.max(MARGIN, Math.min(at, last));
  const [middle, level] = [within(x - wide / 2, most), within(y - high / 2, low)];
  const sides: Pixel[] = [[x + gap, level], [x - gap - wide, level]];
  const ends: Pixel[] = [[middle, y + gap], [middle, y - gap - high]];
  const corners: Pixel[] = [[MARGIN, low], [most, low], [MARGIN, MARGIN], [most, MARGIN]];
  const pulled = Math.hypot(dx, dy) || 1;
  const covers = ([a, b]: Pixel): boolean => {
    for (let way = 0; way <= pulled + AHEAD; way += STEP) {
      const [px, py] = [x + (dx / pulled) * way, y + (dy / pulled) * way];
      if (px > a - MARGIN && px < a + wide + MARGIN && py > b - MARGIN && py < b + high + MARGIN) return true;
    }
    return false;
  };
  const isInside = ([a, b]: Pixel): boolean => a >= MARGIN && b >= MARGIN && a <= most && b <= low;
  const [a, b] = [...sides, ...ends, ...corners].find((at) => isInside(at) && !covers(at)) ?? ends[0]!;
  return [within(a, most), within(b, low)];
}
