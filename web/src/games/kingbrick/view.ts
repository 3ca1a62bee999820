// What a view of the game holds, what may be done, and what an entry marks.
import type { Zone } from "./shapes";

export type Kind = "K" | "G" | "C" | "N" | "A" | "M" | "F" | "B" | "H" | "O" | "D";
export type Mood = "happy" | "sad" | "grey" | "plain";
export type Side = 1 | 2;
/** x, y, z in mm from the board's centre, then a quaternion x, y, z, w. */
export type Pose = readonly number[];

export interface Brick {
  name: string;
  kind: Kind;
  /** Who owns it, and for whom it fights now. */
  side: Side;
  army: Side;
  where: "board" | "out" | "hidden" | "hand" | "rolling";
  pose: Pose | null;
  up: number | null;
  mood: Mood | null;
  frozen: boolean;
}

export interface View {
  stage: "setup" | "play";
  extra: boolean;
  turn: number;
  turns: number;
  mover: number | null;
  flicks: number;
  /** Cost and the moods of the faces, that of face 1 first. */
  kinds: Record<Kind, { cost: number; faces: Mood[] }>;
  sides: { ready: boolean; points: number | null; bricks: number | null }[];
  bricks: Brick[];
  asked: { seat: number; what: "setup" | "turn" | "place" | "finish"; brick?: string; why?: string } | null;
  board: { width: number; length: number; brick: number; castles: [number, number, number, number][] };
}

export type Limits = readonly [least: number, most: number, usual?: number];

export interface Placing {
  brick: string;
  why: "king" | "reveal" | "blink" | "escaped" | "restored" | "returned";
  where: "castle" | "own" | "enemy";
  /** The parts of the board where it may be set down, and a spot that is free. */
  zones: Zone[];
  spot: readonly [x: number, y: number];
}

export interface Legal {
  setup?: SetupLimits;
  flick?: {
    bricks: string[];
    speed: Limits;
    height: Limits;
    side: Limits;
    follow: Limits;
    /** The finger's radius, and how far behind the brick it starts. */
    finger: readonly [radius: number, approach: number];
    /** How much the mat slows a brick, in m/s². */
    slows: number;
    /** The errors of the hand, as standard deviations, at some speeds; none of a steady hand. */
    error: (readonly [speed: number, dir: number, force: number, height: number, side: number])[];
  };
  place?: Placing[];
  freeze?: string[];
  hide?: string[];
  strike?: { by: string; targets: string[] }[];
  heal?: { medic: string; points: number; bricks: { name: string; cost: number }[] }[];
  end?: true;
}

export interface SetupLimits {
  points: number;
  bricks: number;
  standard: string;
  /** Ready-made armies, each with the formation that suits its plan. */
  armies: { key: string; army: string; formation: string }[];
  /** On the side of the player who sets up, from the ground up, the King's spot first. */
  formations: { key: string; spots: [x: number, y: number, yaw: number][] }[];
}

export interface Marks {
  fell?: string[][];
  captured?: string[];
  deserted?: string[];
  infraction?: "misflick" | "push" | null;
  left?: string[];
  brick?: string;
  /** Of a flick: what was aimed, and of a hand: what it made. */
  dir?: number;
  speed?: number;
  face?: number;
  mood?: Mood;
  by?: string;
  target?: string;
}

/** The one brick that everybody has, and the one that waits beside the board. */
export const KING: Kind = "K";
export const FREEZE: Kind = "F";

/** What the kinds are called in the words of the game. */
export const NAME: Record<Kind, string> = {
  K: "king",
  C: "champion",
  G: "guardian",
  N: "ninja",
  A: "assassin",
  M: "mercenary",
  F: "freeze",
  B: "blink",
  H: "knight",
  O: "ghost",
  D: "medic",
};

/** The order in which the kinds are shown and numbered. */
export const KINDS: Kind[] = ["K", "C", "G", "N", "A", "M", "F", "B", "H", "O", "D"];

export const letterOf = (side: number): string => (side === 1 ? "r" : "b");
