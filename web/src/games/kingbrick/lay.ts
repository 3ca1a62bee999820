// Where every brick is drawn: on the board, moving, or beside it.
import { standing } from "./geometry";
import type { Playback } from "./playback.svelte";
import { ROLLED, SLAB } from "./sizes";
import type { Brick, Pose, View } from "./view";

export interface Laid {
  brick: Brick;
  pose: Pose;
  size: number;
  /** Out of the match. */
  out: boolean;
}

export function lay(view: View, playback: Playback): Laid[] {
  const size = view.board.brick;
  const beside = [0, 0];
  const waiting = [0, 0];
  return view.bricks.flatMap((brick): Laid[] => {
    const moving = playback.poseOf(brick.name, size);
    const rolled = playback.roll?.brick === brick.name;
    if (moving) return [{ brick, pose: moving, size: rolled ? ROLLED : 1, out: false }];
    if (brick.where === "board") return brick.pose ? [{ brick, pose: brick.pose, size: 1, out: false }] : [];
    const out = brick.where === "out";
    const count = out ? beside : waiting;
    const k = count[brick.side - 1]!++;
    return [{ brick, pose: besideBoard(view, brick, out, k), size: 1, out }];
  });
}

/** Bricks that are out lie beside the board at their owner's left, waiting ones at the right. */
function besideBoard({ board: { width, length, brick: size } }: View, brick: Brick, out: boolean, k: number): Pose {
  const step = size + 4;
  const [x, y] = [(width / 2 + 20) * (out ? -1 : 1), -length / 2 + 60 + k * step]; // clear of the buttons
  const turned = brick.side === 2 ? -1 : 1;
  return standing({ x: x * turned, y: y * turned, yaw: brick.side === 2 ? 180 : 0, up: 1 }, size / 2 - SLAB);
}
