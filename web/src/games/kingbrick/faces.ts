// The pictures on the bricks and on the mat, as paths: the same on the screen's cubes and in flat drawings.
import type { Kind, Mood, Side } from "./view";

export interface Ink {
  d: string;
  fill?: string;
  stroke?: string;
  width?: number;
}

export const BODY: Record<Side, string> = { 1: "#d5451b", 2: "#1f6fc4" };
const DEEP: Record<Side, string> = { 1: "#8f2408", 2: "#0c3f7d" };
const PALE: Record<Side, string> = { 1: "#ffb59b", 2: "#a9d2ff" };

/** Red's faces are discs, blue's are squares: colour never speaks alone. */
const INSET: Record<Side, string> = {
  1: "M50 5a45 45 0 1 1 0 90a45 45 0 1 1 0 -90Z",
  2: "M20 12H80Q88 12 88 20V80Q88 88 80 88H20Q12 88 12 80V20Q12 12 20 12Z",
};
const TONE: Record<Mood, string> = { happy: "#fff4d6", sad: "#2a2320", grey: "#9c9b98", plain: "#fff4d6" };

/** One sign for each kind, about 50 high around (50, 38). */
const SIGN: Record<Kind, Ink> = {
  K: { d: "M22 72V30L37 46L50 22L63 46L78 30V72Z" },
  G: { d: "M29 15H71V36Q71 55 50 65Q29 55 29 36Z" },
  C: { d: "M50 9L57.600 28.500L78.500 29.700L62.400 43L67.600 63.300L50 52L32.400 63.300L37.600 43L21.500 29.700L42.400 28.500Z" },
  N: { d: "M20 27Q50 17 80 27V49Q50 59 20 49ZM31 34L45 39L43 44Q34 44 31 34ZM69 34L55 39L57 44Q66 44 69 34Z" },
  A: { d: "M50 7L58 20V43H69V51H55.500V65H44.500V51H31V43H42V20Z" },
  M: { d: "M50 13a25 25 0 1 1 0 50a25 25 0 1 1 0 -50ZM50 21V55a17 17 0 0 0 0 -34Z" },
  F: { d: "M50 18V82M22.300 34L77.700 66M77.700 34L22.300 66M42 24L50 32L58 24M42 76L50 68L58 76", width: 8 },
  B: { d: "M56 8L30 42H47L42 66L70 30H52Z" },
  H: { d: "M35 18V40a15 15 0 0 0 30 0V18", width: 11 },
  O: { d: "M28 64V35a22 22 0 0 1 44 0V64L64.700 56L57.300 64L50 56L42.700 64L35.300 56ZM37 33a5 6 0 1 0 10 0a5 6 0 1 0 -10 0ZM53 33a5 6 0 1 0 10 0a5 6 0 1 0 -10 0Z" },
  D: { d: "M42 13H58V31H76V47H58V65H42V47H24V31H42Z" },
};
const MOUTH: Record<Mood, string | null> = { happy: "M32 68Q50 90 68 68", sad: "M34 82Q50 62 66 82", grey: "M34 76H66", plain: null };

/** A face in a square of 100. */
export function faceOf(kind: Kind, side: Side, mood: Mood): Ink[] {
  const ink = mood === "sad" ? PALE[side] : DEEP[side];
  const sign = SIGN[kind];
  const tone = kind === "K" ? "#ffd75e" : kind === "F" ? "#eaf6fb" : TONE[mood];
  const mouth = MOUTH[mood];
  return [
    { d: "M0 0H100V100H0Z", fill: BODY[side] },
    { d: INSET[side], fill: tone },
    sign.width ? { d: sign.d, stroke: ink, width: sign.width } : { d: sign.d, fill: ink },
    ...(mouth ? [{ d: mouth, stroke: mood === "sad" ? "#ffffff" : "#2a2320", width: 8.5 }] : []),
  ];
}

/** A castle's wall in a square of 100 by 100 with the origin in its middle: battlements on a line. */
export function castlePath(): string {
  const teeth = Array.from({ length: 6 }, (_, k) => -46 + k * 16);
  const sides = [0, 1, 2, 3].map((quarter) =>
    teeth.map((t) => {
      const corners: [number, number][] = [[t, -50], [t, -45], [t + 8, -45], [t + 8, -50]];
      return "M" + corners.map(([x, y]) => (quarter === 0 ? [x, y] : quarter === 1 ? [-y, x] : quarter === 2 ? [-x, -y] : [y, -x]).join(" ")).join("L") + "Z";
    }),
  );
  return "M-50 -50H50V50H-50Z" + sides.flat().join("");
}
