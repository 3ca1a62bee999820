// The screens behind which both players set up: one before each army. They rise and are gone when both are ready.
import { BoxGeometry, Group, Mesh, MeshLambertMaterial } from "three";

const [THICK, HIGH] = [5, 92]; // mm
const APART = 9; // mm from the dividing line
const RISE = 900; // milliseconds
const LATER = 180; // milliseconds by which the second screen rises after the first
const UP = 420; // mm

export class Screens {
  readonly group = new Group();
  readonly #material = new MeshLambertMaterial({ color: "#8a5f38", transparent: true });
  #began: number | null = null;

  constructor(width: number) {
    for (const side of [-1, 1]) {
      const screen = new Mesh(new BoxGeometry(width + 24, THICK, HIGH), this.#material);
      screen.position.set(0, side * APART, HIGH / 2);
      screen.castShadow = true;
      this.group.add(screen);
    }
    this.group.visible = false;
  }

  /** Put them down at once, or let them rise from where they stand. */
  stand(down: boolean, slowly: boolean, now: number): void {
    if (down || !slowly || !this.group.visible) {
      this.#began = null;
      this.group.visible = down;
      this.#lift(0, 0);
    } else this.#began ??= now;
  }

  /** Go on with the rise. Return whether there is more to come. */
  rise(now: number): boolean {
    if (this.#began === null) return false;
    const since = now - this.#began;
    this.#lift(since / RISE, (since - LATER) / RISE);
    if (since < RISE + LATER) return true;
    this.#began = null;
    this.group.visible = false;
    return false;
  }

  #lift(...parts: [number, number]): void {
    this.group.children.forEach((screen, k) => {
      const part = Math.max(0, Math.min(1, parts[k]!));
      screen.position.z = HIGH / 2 + UP * part * part;
    });
    this.#material.opacity = 1 - Math.max(0, Math.min(1, parts[1])) ** 2;
  }
}
