// The sounds of a table, synthesized without files. They start after the first gesture on the page.
import { remember, remembered } from "./storage";

export type Sound = "move" | "points" | "turn" | "low" | "end" | "talk";

/** A note: its start, pitch, length, volume and waveform, in seconds and hertz. */
interface Note {
  at: number;
  pitch: number;
  to?: number;
  lasts: number;
  loud: number;
  of: OscillatorType;
}

const SOUNDS: Record<Sound, Note[]> = {
  move: [
    { at: 0, pitch: 210, to: 90, lasts: 0.09, loud: 0.5, of: "triangle" },
    { at: 0, pitch: 1300, to: 500, lasts: 0.03, loud: 0.12, of: "sine" },
  ],
  points: [
    { at: 0, pitch: 210, to: 90, lasts: 0.09, loud: 0.4, of: "triangle" },
    { at: 0.05, pitch: 659, lasts: 0.14, loud: 0.16, of: "sine" },
    { at: 0.12, pitch: 988, lasts: 0.2, loud: 0.16, of: "sine" },
  ],
  turn: [
    { at: 0, pitch: 523, lasts: 0.18, loud: 0.2, of: "sine" },
    { at: 0.11, pitch: 784, lasts: 0.28, loud: 0.2, of: "sine" },
  ],
  low: [
    { at: 0, pitch: 880, lasts: 0.07, loud: 0.16, of: "square" },
    { at: 0.14, pitch: 880, lasts: 0.07, loud: 0.16, of: "square" },
  ],
  end: [
    { at: 0, pitch: 392, lasts: 0.5, loud: 0.18, of: "sine" },
    { at: 0.13, pitch: 523, lasts: 0.5, loud: 0.18, of: "sine" },
    { at: 0.26, pitch: 659, lasts: 0.5, loud: 0.18, of: "sine" },
    { at: 0.39, pitch: 784, lasts: 0.8, loud: 0.2, of: "sine" },
  ],
  talk: [
    { at: 0, pitch: 700, to: 940, lasts: 0.07, loud: 0.14, of: "sine" },
    { at: 0.09, pitch: 940, to: 760, lasts: 0.09, loud: 0.14, of: "sine" },
  ],
};
const APART = 60; // milliseconds; two sounds closer together play once

let on = $state(remembered("sound") !== "off");
let room: AudioContext | null = null;
let last = 0;

/** Browsers allow sound only after a gesture: the first one opens the audio context. */
function enter(): void {
  removeEventListener("pointerdown", enter);
  removeEventListener("keydown", enter);
  room = new AudioContext();
}
addEventListener("pointerdown", enter);
addEventListener("keydown", enter);

export function soundIsOn(): boolean {
  return on;
}

export function switchSound(): void {
  on = !on;
  remember("sound", on ? null : "off");
  if (on) play("talk");
}

export function play(sound: Sound): void {
  const now = performance.now();
  if (!on || !room || now < last + APART) return;
  last = now;
  if (room.state === "suspended") void room.resume();
  for (const note of SOUNDS[sound]) strike(room, note);
}

/** Play wood on wood, with a volume from 0 to 1, deeper in slow motion. Many may play together. */
export function knock(loud: number, slowness = 1): void {
  if (!on || !room) return;
  if (room.state === "suspended") void room.resume();
  const pitch = (620 + 380 * loud) / Math.sqrt(slowness);
  strike(room, { at: 0, pitch, to: pitch * 0.55, lasts: 0.05 + 0.03 * loud, loud: 0.05 + 0.4 * loud, of: "triangle" });
  strike(room, { at: 0, pitch: pitch * 2.7, to: pitch, lasts: 0.018, loud: 0.02 + 0.12 * loud, of: "square" });
}

function strike(room: AudioContext, { at, pitch, to, lasts, loud, of }: Note): void {
  const start = room.currentTime + at;
  const voice = new OscillatorNode(room, { type: of, frequency: pitch });
  const level = new GainNode(room, { gain: 0 });
  if (to) voice.frequency.exponentialRampToValueAtTime(to, start + lasts);
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(loud, start + 0.006);
  level.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  voice.connect(level).connect(room.destination);
  voice.start(start);
  voice.stop(start + lasts + 0.02);
}
