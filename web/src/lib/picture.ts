// A picture of what the page draws: a board as the pixels of a canvas, made by the browser itself.
//
// The board is copied, with the style sheets of the page, into an SVG image as large as the window, so that the same media
// queries hold. Animations are left out: a picture shows how they end.

const XHTML = "http://www.w3.org/1999/xhtml";
const STILL = "*, ::before, ::after { animation: none !important; transition: none !important }";
/** Inherited from the page around the board. */
const INHERITED = ["color", "font-family", "font-size", "font-weight", "line-height"];

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Return the rules of all style sheets as text, without fonts: an image may load nothing. */
function styles(): string {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.filter((rule) => !(rule instanceof CSSFontFaceRule)).map((rule) => rule.cssText).join("\n") + STILL;
}

/** Return a copy of an element in a given size, as text; what was drawn on a canvas is an image in it. */
function copied(node: HTMLElement, width: number, height: number): string {
  const copy = node.cloneNode(true) as HTMLElement;
  const drawn = [...node.querySelectorAll("canvas")];
  for (const [k, canvas] of [...copy.querySelectorAll("canvas")].entries()) {
    const image = document.createElementNS(XHTML, "img") as HTMLImageElement;
    image.src = drawn[k]!.toDataURL("image/png");
    Object.assign(image.style, { display: "block", width: "100%", height: "100%" });
    canvas.replaceWith(image);
  }
  for (const tool of copy.querySelectorAll(".button, .hidden")) tool.remove();
  Object.assign(copy.style, { position: "relative", inset: "auto", margin: "0", width: `${width}px`, height: `${height}px`, transform: "none" });
  return new XMLSerializer().serializeToString(copy);
}

/** Return the SVG image of an element, and its size on the page. It is written as text: the page's policy allows no inline style. */
function drawing(node: HTMLElement): { source: string; width: number; height: number } {
  const { width, height } = node.getBoundingClientRect();
  const { documentElement: root } = document;
  const around = getComputedStyle(node);
  const attributes = [...root.attributes].filter(({ name }) => name.startsWith("data-") || name === "lang").map(({ name, value }) => `${name}="${escaped(value)}"`);
  const own = [...root.style].map((name) => `${name}: ${root.style.getPropertyValue(name)}`);
  const scheme = `color-scheme: ${isDark() ? "dark" : "light"}`;
  const passed = INHERITED.map((name) => `${name}: ${around.getPropertyValue(name)}`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${innerWidth}" height="${innerHeight}" ${attributes.join(" ")} style="${escaped([scheme, ...own].join("; "))}">
    <foreignObject width="${Math.max(innerWidth, width)}" height="${Math.max(innerHeight, height)}">
      <style xmlns="${XHTML}">${escaped(styles())}</style>
      <div xmlns="${XHTML}" style="${escaped([...passed, "position: absolute", "left: 0", "top: 0"].join("; "))}">${copied(node, width, height)}</div>
    </foreignObject>
  </svg>`;
  return { source: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg), width, height };
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** What stands under a picture: one line of text. */
export interface Caption {
  text: string;
  height: number;
}

/** Return the picture of an element in a given width, on the page's own paper, with a line under it. */
export async function pictureOf(node: HTMLElement, width: number, caption: Caption | null = null): Promise<HTMLCanvasElement> {
  const drawn = drawing(node);
  const image = new Image();
  image.src = drawn.source;
  await image.decode();
  const scale = width / drawn.width;
  const canvas = document.createElement("canvas");
  const high = Math.round(drawn.height * scale);
  canvas.width = width;
  canvas.height = high + (caption?.height ?? 0);
  const pen = canvas.getContext("2d", { willReadFrequently: true })!;
  const page = getComputedStyle(document.body);
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, innerWidth * scale, innerHeight * scale);
  if (caption) {
    pen.fillStyle = page.backgroundColor;
    pen.fillRect(0, high, width, caption.height);
    pen.fillStyle = page.color;
    pen.font = `600 ${Math.round(caption.height * 0.5)}px ${page.fontFamily}`;
    pen.textBaseline = "middle";
    pen.fillText(caption.text, caption.height * 0.4, high + caption.height / 2, width - caption.height * 0.8);
  }
  return canvas;
}

/** Let the browser store a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}
