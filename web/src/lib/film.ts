// A film of a match: the board after every turn, as an animated GIF.
import { Gif, paletteOf } from "./gif";
import { pictureOf } from "./picture";
import type { Turn } from "./turns";

const MOST_FRAMES = 150;
const FRAME = 800; // milliseconds
const LAST_FRAME = 3000;
const CAPTION = 30; // pixels

interface Camera {
  /** Draw the position after an entry, and return its board. */
  show(entry: number): Promise<HTMLElement>;
  /** Tell how many frames are done. Return false to stop. */
  progress(done: number): boolean;
}

/** Return the entries to stop at: the last one of every turn that stands, fewer if there are very many. */
export function stopsOf(turns: readonly Pick<Turn, "stands" | "entries">[]): number[] {
  const ends = turns.filter(({ stands }) => stands).map(({ entries }) => entries.at(-1)!.n);
  const step = Math.ceil(ends.length / MOST_FRAMES) || 1;
  return ends.filter((_, k) => k % step === 0 || k === ends.length - 1);
}

/** Return the film, or null if it was stopped. */
export async function filmOf(stops: readonly number[], width: number, caption: string, camera: Camera): Promise<Blob | null> {
  const frame = async (n: number): Promise<ImageData> => {
    const canvas = await pictureOf(await camera.show(n), width, { text: caption, height: CAPTION });
    return canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  };
  // The colours of the first, a middle and the last position are those of the whole match.
  const pictures: ImageData[] = [];
  for (const n of [stops[0]!, stops[stops.length >> 1]!, stops.at(-1)!]) pictures.push(await frame(n));
  const { width: wide, height: high } = pictures[0]!;
  const gif = new Gif(wide, high, paletteOf(pictures.map(({ data }) => data)));
  for (const [k, n] of stops.entries()) {
    if (!camera.progress(k)) return null;
    gif.add((await frame(n)).data, k === stops.length - 1 ? LAST_FRAME : FRAME);
  }
  return gif.finish();
}
