// The path of a QR code, read back square by square.
import { generate } from "lean-qr";
import { expect, test } from "vitest";
import { drawQr } from "../src/lib/qr.ts";

/** The dark squares of a drawing, margin included. */
function squares({ size, path }: { size: number; path: string }): boolean[][] {
  const grid = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, wide] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let k = 0; k < Number(wide); k += 1) grid[Number(y)]![Number(x) + k] = true;
  return grid;
}

test.each(["http://192.168.1.20:8000/t/k3j9x2aa", "https://ludoteca.example/t/abcdefgh"])("%s is drawn as the library has it", async (link) => {
  const code = generate(link);
  const drawn = await drawQr(link);
  const grid = squares(drawn);
  expect(drawn.size).toBe(code.size + 8);
  for (let y = 0; y < drawn.size; y += 1)
    for (let x = 0; x < drawn.size; x += 1) expect(grid[y]![x], `${x} ${y}`).toBe(code.get(x - 4, y - 4));
});

test("another link is another code", async () => {
  expect((await drawQr("http://a/t/1")).path).not.toBe((await drawQr("http://a/t/2")).path);
});
