// Writes animated GIF files: one palette for all frames, and of each frame only what has changed.

type Pixels = Uint8ClampedArray; // red, green, blue, alpha, row by row

const COLOURS = 255; // the last index means: as before
const SAME = 255;
const MOST_CODES = 4096;
const BITS = 5; // of each channel, for finding a colour in the palette

interface Box {
  pixels: number[]; // as 0xrrggbb
  channel: number; // the one that varies most ...
  range: number; // ... and by how much
}

const CHANNELS = [16, 8, 0]; // shifts

function boxOf(pixels: number[]): Box {
  let [channel, range] = [0, -1];
  for (const shift of CHANNELS) {
    let [least, most] = [255, 0];
    for (const pixel of pixels) {
      const value = (pixel >> shift) & 255;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (most - least > range) [channel, range] = [shift, most - least];
  }
  return { pixels, channel, range };
}

/** Return at most 255 colours for these pictures, by cutting the colours that vary most in half. */
export function paletteOf(pictures: readonly Pixels[]): number[] {
  const found: number[] = [];
  const step = Math.max(1, Math.floor(pictures.reduce((sum, { length }) => sum + length / 4, 0) / 40_000));
  for (const pixels of pictures) for (let k = 0; k < pixels.length; k += 4 * step) found.push((pixels[k]! << 16) | (pixels[k + 1]! << 8) | pixels[k + 2]!);
  const boxes = [boxOf(found)];
  while (boxes.length < COLOURS) {
    // a large box of few colours matters as much as a small one of many
    const widest = boxes.reduce((best, box) => (box.range * Math.cbrt(box.pixels.length) > best.range * Math.cbrt(best.pixels.length) ? box : best));
    if (widest.range <= 0) break;
    const sorted = widest.pixels.sort((a, b) => ((a >> widest.channel) & 255) - ((b >> widest.channel) & 255));
    const middle = cut(sorted, widest.channel);
    boxes.splice(boxes.indexOf(widest), 1, boxOf(sorted.slice(0, middle)), boxOf(sorted.slice(middle)));
  }
  return boxes.map(({ pixels }) => CHANNELS.reduce((colour, shift) => colour | (Math.round(pixels.reduce((sum, pixel) => sum + ((pixel >> shift) & 255), 0) / pixels.length) << shift), 0));
}

/** Return where to cut sorted pixels: in the middle, but never between two that are equal in this channel. */
function cut(sorted: number[], shift: number): number {
  const value = (k: number): number => (sorted[k]! >> shift) & 255;
  let middle = sorted.length >> 1;
  while (middle < sorted.length && value(middle) === value(middle - 1)) middle += 1;
  if (middle < sorted.length) return middle;
  middle = sorted.length >> 1;
  while (middle > 1 && value(middle) === value(middle - 1)) middle -= 1;
  return middle;
}

export class Gif {
  #bytes: number[] = [];
  #parts: Uint8Array[] = [];
  #nearest = new Int16Array(1 << (3 * BITS)).fill(-1);
  #before: Uint8Array | null = null;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly palette: readonly number[],
  ) {
    this.#text("GIF89a");
    this.#shorts(width, height);
    this.#bytes.push(0xf7, 0, 0); // a palette of 256 colours
    for (let k = 0; k < 256; k += 1) for (const shift of CHANNELS) this.#bytes.push(((palette[k] ?? 0) >> shift) & 255);
    this.#bytes.push(0x21, 0xff, 11);
    this.#text("NETSCAPE2.0");
    this.#bytes.push(3, 1, 0, 0, 0); // for ever
  }

  /** Add a picture that is shown for so many milliseconds. */
  add(pixels: Pixels, milliseconds: number): void {
    const now = this.#indices(pixels);
    const { left, top, width, height } = this.#changed(now);
    this.#bytes.push(0x21, 0xf9, 4, 0x05); // stays there; one index is transparent
    this.#shorts(Math.round(milliseconds / 10));
    this.#bytes.push(SAME, 0, 0x2c);
    this.#shorts(left, top, width, height);
    this.#bytes.push(0, 8);
    const part = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const k = (top + y) * this.width + left + x;
        part[y * width + x] = this.#before && this.#before[k] === now[k] ? SAME : now[k]!;
      }
    }
    this.#packed(part);
    this.#before = now;
  }

  finish(): Blob {
    this.#bytes.push(0x3b);
    this.#flush();
    return new Blob(this.#parts as BlobPart[], { type: "image/gif" });
  }

  #text(text: string): void {
    for (const sign of text) this.#bytes.push(sign.charCodeAt(0));
  }

  #shorts(...values: number[]): void {
    for (const value of values) this.#bytes.push(value & 255, value >> 8);
  }

  #flush(): void {
    this.#parts.push(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }

  /** The palette's colour for every pixel. */
  #indices(pixels: Pixels): Uint8Array {
    const found = new Uint8Array(this.width * this.height);
    const drop = 8 - BITS;
    for (let k = 0; k < found.length; k += 1) {
      const [red, green, blue] = [pixels[4 * k]!, pixels[4 * k + 1]!, pixels[4 * k + 2]!];
      const cell = ((red >> drop) << (2 * BITS)) | ((green >> drop) << BITS) | (blue >> drop);
      let index = this.#nearest[cell]!;
      if (index < 0) index = this.#nearest[cell] = this.#closest(red, green, blue);
      found[k] = index;
    }
    return found;
  }

  #closest(red: number, green: number, blue: number): number {
    let [best, least] = [0, Infinity];
    for (const [k, colour] of this.palette.entries()) {
      const [r, g, b] = [((colour >> 16) & 255) - red, ((colour >> 8) & 255) - green, (colour & 255) - blue];
      const far = 2 * r * r + 4 * g * g + 3 * b * b;
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  /** The smallest part of the picture that has everything that is new. */
  #changed(now: Uint8Array): { left: number; top: number; width: number; height: number } {
    const before = this.#before;
    if (!before) return { left: 0, top: 0, width: this.width, height: this.height };
    let [left, top, right, bottom] = [this.width, this.height, -1, -1];
    for (let k = 0; k < now.length; k += 1) {
      if (now[k] === before[k]) continue;
      const [x, y] = [k % this.width, Math.floor(k / this.width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    return right < 0 ? { left: 0, top: 0, width: 1, height: 1 } : { left, top, width: right - left + 1, height: bottom - top + 1 };
  }

  /** Pack the indices (LZW) in blocks of at most 255 bytes. */
  #packed(part: Uint8Array): void {
    const [clear, end] = [256, 257];
    const block: number[] = [];
    let [held, bits, size, next] = [0, 0, 9, end + 1];
    let codes = new Map<number, number>();
    const write = (code: number): void => {
      held |= code << bits;
      bits += size;
      while (bits >= 8) {
        block.push(held & 255);
        held >>>= 8;
        bits -= 8;
        if (block.length === 255) this.#block(block);
      }
    };
    write(clear);
    let prefix = part[0]!;
    for (let k = 1; k < part.length; k += 1) {
      const key = (prefix << 8) | part[k]!;
      const known = codes.get(key);
      if (known !== undefined) {
        prefix = known;
        continue;
      }
      write(prefix);
      if (next === MOST_CODES) {
        write(clear);
        codes = new Map();
        [size, next] = [9, end + 1];
      } else {
        if (next === 1 << size) size += 1;
        codes.set(key, next);
        next += 1;
      }
      prefix = part[k]!;
    }
    write(prefix);
    write(end);
    if (bits) block.push(held & 255);
    if (block.length) this.#block(block);
    this.#bytes.push(0);
    this.#flush();
  }

  #block(block: number[]): void {
    this.#bytes.push(block.length, ...block);
    block.length = 0;
  }
}
