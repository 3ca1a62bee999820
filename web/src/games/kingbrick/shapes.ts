// What the board shows besides the mat, as both ways of drawing it are told.
import type { Kind, Mood, Pose, Side } from "./view";

export interface Cube {
  name: string;
  kind: Kind;
  side: Side;
  pose: Pose;
  faces: Mood[];
  /** How many times as large as it is. */
  size: number;
  /** Of a brick that is only thought of, or out of the match. */
  faint?: boolean;
}
export interface Ring {
  pose: Pose;
  colour: string;
}
export interface Arrow {
  pose: Pose;
  dir: number;
  /** How long, in mm. */
  length: number;
  /** How far to either side of its end the brick may be. */
  spread: number;
  /** Where the finger will be; red if it has no room there, or may touch another brick. */
  finger: [number, number, number];
  isWrong: boolean;
}
/** A line on the mat: what was aimed, what the hand made of it, or the way that a brick went. */
export interface Line {
  points: (readonly [x: number, y: number])[];
  /** How high above the board it is drawn. */
  z: number;
  width: number;
  colour: string;
  dashed?: boolean;
}
/** Left, near end, width, length. */
export type Zone = readonly [number, number, number, number];
