// Textures drawn on canvases: every face of every brick on one sheet, the mat, and the wood of the table.
import { BODY, castlePath, faceOf, type Ink } from "./faces";
import { KINDS, type Kind, type Mood, type Side, type View } from "./view";

export const MOODS: Mood[] = ["happy", "sad", "grey", "plain"];
const CELL = 128;
/** Columns: the moods of red and of blue. Rows: the kinds. */
export const COLUMNS = MOODS.length * 2;
export const ROWS = KINDS.length;

export interface MatColours {
  cloth: string;
  line: string;
  castle: string;
}

function canvas(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const sheet = Object.assign(document.createElement("canvas"), { width, height });
  return [sheet, sheet.getContext("2d")!];
}

function draw(ink: CanvasRenderingContext2D, strokes: Ink[]): void {
  for (const { d, fill, stroke, width = 1 } of strokes) {
    const path = new Path2D(d);
    if (fill) {
      ink.fillStyle = fill;
      ink.fill(path, "evenodd");
    }
    if (stroke) {
      ink.strokeStyle = stroke;
      ink.lineWidth = width;
      ink.lineCap = ink.lineJoin = "round";
      ink.stroke(path);
    }
  }
}

/** Where a kind of brick of a side begins on the sheet, in cells. */
export const cellOf = (kind: Kind, side: Side): [column: number, row: number] => [(side - 1) * MOODS.length, KINDS.indexOf(kind)];

export function drawFaces(): HTMLCanvasElement {
  const [sheet, ink] = canvas(COLUMNS * CELL, ROWS * CELL);
  for (const kind of KINDS)
    for (const side of [1, 2] as const)
      MOODS.forEach((mood, k) => {
        const [column, row] = cellOf(kind, side);
        ink.setTransform(CELL / 100, 0, 0, CELL / 100, (column + k) * CELL, row * CELL);
        ink.save();
        ink.clip(new Path2D("M0 0H100V100H0Z"));
        draw(ink, faceOf(kind, side, mood));
        ink.restore();
      });
  return sheet;
}

/** The mat seen from above, blue's end at the top. */
export function drawMat({ width, length, castles }: View["board"], colours: MatColours): HTMLCanvasElement {
  const scale = 2.5;
  const [sheet, ink] = canvas(width * scale, length * scale);
  ink.setTransform(scale, 0, 0, -scale, (width / 2) * scale, (length / 2) * scale);
  ink.fillStyle = colours.cloth;
  ink.fillRect(-width / 2, -length / 2, width, length);
  weave(ink, width, length);
  for (const side of [1, 2] as const) {
    const end = side === 1 ? -length / 2 : 0;
    ink.globalAlpha = 0.1;
    ink.fillStyle = BODY[side];
    ink.fillRect(-width / 2, end, width, length / 2);
    ink.globalAlpha = 0.75;
    ink.strokeStyle = BODY[side];
    ink.lineWidth = 2;
    ink.strokeRect(-width / 2 + 7, end + 7, width - 14, length / 2 - 14);
  }
  castles.forEach(([x, y, wide, long], k) => {
    ink.save();
    ink.translate(x + wide / 2, y + long / 2);
    ink.scale(wide / 100, long / 100);
    ink.globalAlpha = 1;
    ink.fillStyle = colours.castle;
    ink.fillRect(-50, -50, 100, 100);
    ink.globalAlpha = 0.9;
    draw(ink, [{ d: castlePath(), stroke: BODY[(k + 1) as Side], width: 1.6 }]);
    ink.restore();
  });
  ink.globalAlpha = 1;
  ink.fillStyle = colours.line;
  ink.fillRect(-width / 2, -1.2, width, 2.4);
  return sheet;
}

/** Threads, so that the cloth is not a flat colour. */
function weave(ink: CanvasRenderingContext2D, width: number, length: number): void {
  ink.lineWidth = 0.5;
  for (const [colour, shift] of [["#ffffff", 0], ["#000000", 1.5]] as const) {
    ink.globalAlpha = 0.05;
    ink.strokeStyle = colour;
    ink.beginPath();
    for (let x = -width / 2 + shift; x < width / 2; x += 3) {
      ink.moveTo(x, -length / 2);
      ink.lineTo(x, length / 2);
    }
    for (let y = -length / 2 + shift; y < length / 2; y += 3) {
      ink.moveTo(-width / 2, y);
      ink.lineTo(width / 2, y);
    }
    ink.stroke();
  }
}

/** Planks of wood with their grain. */
export function drawWood(base: string): HTMLCanvasElement {
  const [sheet, ink] = canvas(512, 512);
  ink.fillStyle = base;
  ink.fillRect(0, 0, 512, 512);
  let seed = 7;
  const chance = (): number => ((seed = (seed * 16807) % 2147483647) / 2147483647);
  for (let plank = 0; plank < 4; plank++) {
    ink.globalAlpha = 0.05 + 0.06 * chance();
    ink.fillStyle = chance() < 0.5 ? "#000000" : "#ffffff";
    ink.fillRect(plank * 128, 0, 128, 512);
    for (let grain = 0; grain < 26; grain++) {
      const x = plank * 128 + chance() * 124;
      ink.globalAlpha = 0.03 + 0.05 * chance();
      ink.strokeStyle = "#1d0f00";
      ink.lineWidth = 0.6 + chance() * 1.6;
      ink.beginPath();
      ink.moveTo(x, -5);
      ink.bezierCurveTo(x + chance() * 10 - 5, 170, x + chance() * 10 - 5, 340, x, 517);
      ink.stroke();
    }
    ink.globalAlpha = 0.3;
    ink.fillStyle = "#1d0f00";
    ink.fillRect(plank * 128, 0, 1.6, 512);
  }
  return sheet;
}
