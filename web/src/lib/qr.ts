// A link as a QR code: one path over squares of one unit. The library is loaded on first use.

const QUIET = 4; // the empty margin that readers ask for

export interface Drawn {
  size: number;
  path: string;
}

export async function drawQr(text: string): Promise<Drawn> {
  const { generate } = await import("lean-qr");
  const code = generate(text);
  let path = "";
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) {
      if (!code.get(x, y) || code.get(x - 1, y)) continue;
      let end = x + 1;
      while (code.get(end, y)) end += 1;
      path += `M${x + QUIET} ${y + QUIET}h${end - x}v1h${x - end}z`;
    }
  return { size: code.size + 2 * QUIET, path };
}
