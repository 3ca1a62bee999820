// What is to be seen on the board besides the mat: the same for both ways of drawing it.
import { arrowLength, brickNamed, fingerOf, heightAt, type Setting } from "./aim.svelte";
import { BODY } from "./faces";
import { standing, type Spot } from "./geometry";
import type { Laid } from "./lay";
import type { Flick } from "./notation";
import type { Arrow, Cube, Ring } from "./scene";
import type { Pose, View } from "./view";

export interface Drawn {
  cubes: Cube[];
  rings: Ring[];
  zone: [number, number, number, number] | null;
  arrow: Arrow | null;
  finger: Pose | null;
}

const BRAND = "#0b8f86";

export function cubesOf(view: View, laid: Laid[]): Cube[] {
  return laid.map(({ brick: { name, kind, side }, pose, size, out }) => ({ name, kind, side, pose, size, faces: view.kinds[kind].faces, faint: out }));
}

/** The brick in hand as it would stand. */
export function ghostOf(view: View, setting: Setting, spot: Spot): Cube | null {
  const brick = brickNamed(view, setting.brick);
  if (!brick) return null;
  return { name: brick.name, kind: brick.kind, side: brick.side, pose: standing(spot, heightAt(spot, view, setting.brick)), size: 1, faces: view.kinds[brick.kind].faces };
}

/** What may be flicked, the one that is chosen, and deserters in the colour that they fight for. */
export function ringsOf(laid: Laid[], flickable: string[], chosen: string): Ring[] {
  return laid.flatMap(({ brick, pose, out }) => {
    if (out || brick.where !== "board") return [];
    if (brick.name === chosen) return [{ pose, colour: "#ffffff" }];
    if (brick.army !== brick.side) return [{ pose, colour: BODY[brick.army] }];
    return flickable.includes(brick.name) ? [{ pose, colour: BRAND }] : [];
  });
}

export function arrowOf(view: View, flick: Flick & { pull?: number | null }): Arrow | null {
  const pose = brickNamed(view, flick.brick)?.pose;
  if (!pose) return null;
  return { pose, dir: flick.dir, length: arrowLength(flick.speed), finger: fingerOf(flick, pose, view.board.brick) };
}

