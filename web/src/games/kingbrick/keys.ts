// The board by keys: arrows turn the aim and change its strength, or move the brick in hand.
import { within, type Aim } from "./aim.svelte";
import { turn } from "./geometry";
import type { Legal, View } from "./view";

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Do what a key stands for. Return whether it stands for anything. */
export function nudge(event: KeyboardEvent, aim: Aim, view: View, legal: Legal, near: number): boolean {
  const arrow = ARROWS[event.key];
  const key = event.key.toLowerCase();
  if (aim.setting) {
    const step = (event.shiftKey ? 1 : 8) * (near === 2 ? -1 : 1);
    if (arrow) aim.put({ x: aim.spot.x + arrow[0] * step, y: aim.spot.y + arrow[1] * step });
    else if (key === "r") aim.put({ yaw: turn(aim.spot.yaw + (event.shiftKey ? 5 : 15)) });
    else if (key === "u") aim.put({ up: (aim.spot.up % 6) + 1 });
    else return false;
    return true;
  }
  if (!legal.flick) return false;
  const { bricks, speed, height, side } = legal.flick;
  const fine = event.shiftKey ? 0.2 : 1;
  if (arrow?.[0]) aim.dir = tenth(turn(aim.dir - arrow[0] * 5 * fine));
  else if (arrow) aim.speed = within(Math.round((aim.speed + arrow[1] * 0.25 * fine) * 100) / 100, speed);
  else if (key === "n" || key === "p") aim.brick = bricks[(bricks.indexOf(aim.brick) + (key === "n" ? 1 : bricks.length - 1)) % bricks.length]!;
  else if (key === "h") aim.height = within(tenth(aim.height + (event.shiftKey ? -0.5 : 0.5)), height);
  else if (key === "s") aim.side = within(tenth(aim.side + (event.shiftKey ? -0.5 : 0.5)), side);
  else return false;
  return true;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
