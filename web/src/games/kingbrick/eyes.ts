// From where and at what one looks: without the engine that draws it, which is heavy.
import { radians } from "./geometry";

const AHEAD = 110; // mm before the brick that one looks at from behind it

export interface Eye {
  /** Degrees around the board: 0 is red's end. */
  around: number;
  /** Degrees from straight above. */
  tilt: number;
  /** 1 shows the whole board. */
  zoom: number;
  /** How far from the middle the camera looks, in mm on the board. */
  x: number;
  y: number;
}

const whole = { zoom: 1, x: 0, y: 0 };
export const across = (side: number): Eye => ({ around: side === 2 ? 180 : 0, tilt: 36, ...whole });
export const above = (side: number): Eye => ({ around: side === 2 ? 180 : 0, tilt: 0, ...whole });
/** Over one player's own territory. */
export const nearBy = (side: number): Eye => ({ around: side === 2 ? 180 : 0, tilt: 48, zoom: 1.7, x: 0, y: side === 2 ? 118 : -118 });
/** Behind a brick that lies at (x, y), along the way that it is aimed. */
export function behind(x: number, y: number, dir: number): Eye {
  const [c, s] = [Math.cos(radians(dir)), Math.sin(radians(dir))];
  return { around: dir - 90, tilt: 60, zoom: 1.9, x: x + c * AHEAD, y: y + s * AHEAD };
}

/** Where something happens on the board: its edges in mm. */
export interface Action {
  left: number;
  right: number;
  near: number;
  far: number;
}
