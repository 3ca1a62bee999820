// A GIF that was written is read again, pixel by pixel, by a reader that shares nothing with the writer.
import { expect, test } from "vitest";
import { Gif, paletteOf } from "../src/lib/gif.ts";

interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  time: number;
  indices: number[];
}

function read(bytes: Uint8Array): { width: number; height: number; palette: number[]; frames: Frame[] } {
  const short = (k: number): number => bytes[k]! | (bytes[k + 1]! << 8);
  expect(new TextDecoder().decode(bytes.slice(0, 6))).toBe("GIF89a");
  const palette = Array.from({ length: 256 }, (_, k) => (bytes[13 + 3 * k]! << 16) | (bytes[14 + 3 * k]! << 8) | bytes[15 + 3 * k]!);
  const frames: Frame[] = [];
  let [at, time] = [13 + 768, 0];
  const blocks = (): number[] => {
    const found: number[] = [];
    while (bytes[at]) {
      found.push(...bytes.slice(at + 1, at + 1 + bytes[at]!));
      at += bytes[at]! + 1;
    }
    at += 1;
    return found;
  };
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) time = short(at + 4) * 10;
      at += 2;
      blocks();
    } else {
      expect(bytes[at]).toBe(0x2c);
      const [left, top, width, height] = [1, 3, 5, 7].map((k) => short(at + k)) as [number, number, number, number];
      const size = bytes[at + 10]!;
      at += 11;
      frames.push({ left, top, width, height, time, indices: unpacked(blocks(), size) });
    }
  }
  return { width: short(6), height: short(8), palette, frames };
}

function unpacked(packed: number[], least: number): number[] {
  const clear = 1 << least;
  const found: number[] = [];
  let table: number[][] = [];
  let [size, bit] = [least + 1, 0];
  let last: number[] | null = null;
  const reset = (): void => {
    table = Array.from({ length: clear + 2 }, (_, k) => [k]);
    size = least + 1;
    last = null;
  };
  reset();
  for (;;) {
    let code = 0;
    for (let k = 0; k < size; k += 1, bit += 1) code |= ((packed[bit >> 3]! >> (bit & 7)) & 1) << k;
    if (code === clear) reset();
    else if (code === clear + 1) return found;
    else {
      const word: number[] = table[code] ?? [...last!, last![0]!];
      found.push(...word);
      if (last && table.length < 4096) table.push([...(last as number[]), word[0]!]);
      if (table.length === 1 << size && size < 12) size += 1;
      last = word;
    }
  }
}

const picture = (width: number, height: number, colour: (x: number, y: number) => number): Uint8ClampedArray =>
  Uint8ClampedArray.from({ length: width * height * 4 }, (_, k) => {
    const [x, y] = [(k >> 2) % width, Math.floor((k >> 2) / width)];
    return k % 4 === 3 ? 255 : (colour(x, y) >> (16 - 8 * (k % 4))) & 255;
  });

test("every pixel of every frame is read again", async () => {
  const [wide, high] = [70, 50];
  const noise = picture(wide, high, (x, y) => ((x * 7919 + y * 104729) % 64) * 0x040404);
  const dotted = picture(wide, high, (x, y) => (x > 10 && x < 20 && y > 30 && y < 33 ? 0xff0000 : ((x * 7919 + y * 104729) % 64) * 0x040404));
  const palette = paletteOf([noise, dotted]);
  expect(palette.length).toBeLessThanOrEqual(255);
  const gif = new Gif(wide, high, palette);
  for (const [frame, time] of [[noise, 700], [dotted, 700], [dotted, 3000]] as const) gif.add(frame, time);
  const found = read(new Uint8Array(await gif.finish().arrayBuffer()));
  expect([found.width, found.height, found.frames.length]).toEqual([wide, high, 3]);
  expect(found.frames.map(({ time }) => time)).toEqual([700, 700, 3000]);
  const [first, second, third] = found.frames as [Frame, Frame, Frame];
  expect([second.left, second.top, second.width, second.height]).toEqual([11, 31, 9, 2]); // only what changed
  expect([third.width, third.height]).toEqual([1, 1]);
  const shown = Array.from({ length: wide * high }, () => 0);
  for (const [frame, wanted] of [[first, noise], [second, dotted]] as const) {
    frame.indices.forEach((index, k) => {
      if (index !== 255) shown[(frame.top + Math.floor(k / frame.width)) * wide + frame.left + (k % frame.width)] = found.palette[index]!;
    });
    for (let k = 0; k < shown.length; k += 1) for (const [place, shift] of [16, 8, 0].entries()) expect(Math.abs(((shown[k]! >> shift) & 255) - wanted[4 * k + place]!)).toBeLessThan(12);
  }
});

test("a picture of one colour has a palette of one", () => {
  expect(paletteOf([picture(5, 5, () => 0x123456)])).toEqual([0x123456]);
});

test("more codes than a table holds", async () => {
  const [wide, high] = [200, 200];
  const noise = picture(wide, high, (x, y) => (((x * 31 + y * 17) ** 2 * 2654435761) % 200) * 0x010101);
  const gif = new Gif(wide, high, paletteOf([noise]));
  gif.add(noise, 100);
  const { frames } = read(new Uint8Array(await gif.finish().arrayBuffer()));
  expect(frames[0]!.indices.length).toBe(wide * high);
});
