// Where one looks from: around the board, from above or across it, near or far.
import { PerspectiveCamera, Vector3 } from "three";
import { radians } from "./geometry";

export interface Eye {
  /** Degrees around the board: 0 is red's end. */
  around: number;
  /** Degrees from straight above. */
  tilt: number;
  /** 1 shows the whole board. */
  zoom: number;
}

const STEEPEST = 78;
const NEAREST = 4;
const FILLED = 1.03; // the board fills nearly all of the picture
const GLIDE = 420; // milliseconds from one view to the next

export const across = (side: number): Eye => ({ around: side === 2 ? 180 : 0, tilt: 36, zoom: 1 });
export const above = (side: number): Eye => ({ around: side === 2 ? 180 : 0, tilt: 0, zoom: 1 });

export class Viewer {
  readonly camera = new PerspectiveCamera(30, 1, 100, 6000);
  eye: Eye = across(1);
  #from: Eye | null = null;
  #to: Eye | null = null;
  #began = 0;
  #corners: Vector3[];
  #settled = "";

  constructor(width: number, length: number) {
    this.camera.up.set(0, 0, 1);
    const [x, y] = [width / 2 + 26, length / 2 + 6];
    this.#corners = [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-16, 24].map((z) => new Vector3(a * x, b * y, z))));
  }

  /** Goes there, at once or in a short glide by the short way round. */
  go(to: Eye, glide: boolean, now = performance.now()): void {
    const turned = ((((to.around - this.eye.around) % 360) + 540) % 360) - 180;
    this.#to = { ...to, around: this.eye.around + turned };
    this.#from = glide ? { ...this.eye } : null;
    this.#began = now;
    if (!glide) this.#arrive();
  }

  turnBy(around: number, tilt: number): void {
    this.#to = null;
    this.eye = { ...this.eye, around: this.eye.around + around, tilt: Math.max(0, Math.min(STEEPEST, this.eye.tilt + tilt)) };
  }

  zoomBy(factor: number): void {
    this.#to = null;
    this.eye = { ...this.eye, zoom: Math.max(0.8, Math.min(NEAREST, this.eye.zoom * factor)) };
  }

  /** One frame further; whether there is more to come. */
  glide(now: number): boolean {
    if (!this.#to || !this.#from) return false;
    const part = Math.min(1, (now - this.#began) / GLIDE);
    const eased = part * part * (3 - 2 * part);
    const mix = (key: keyof Eye): number => this.#from![key] + (this.#to![key] - this.#from![key]) * eased;
    this.eye = { around: mix("around"), tilt: mix("tilt"), zoom: mix("zoom") };
    if (part === 1) this.#arrive();
    return part < 1;
  }

  #arrive(): void {
    this.eye = this.#to!;
    this.#to = this.#from = null;
  }

  /** Puts the camera so that the whole board is in sight, or less of it when one has come nearer; whether it moved. */
  settle(aspect: number): boolean {
    const { camera, eye } = this;
    const now = [aspect, eye.around, eye.tilt, eye.zoom].join();
    if (now === this.#settled) return false;
    this.#settled = now;
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    let [distance, before] = [1200, 0];
    for (let k = 0; k < 14; k++) {
      this.#stand(distance, before);
      const { wide, low, high } = this.#reach();
      // a picture is `span` high at that distance: the board's is moved into its middle and made to fill it
      const span = distance * Math.tan(radians(camera.fov / 2));
      before -= (((high + low) / 2) * span) / Math.max(0.35, Math.cos(radians(eye.tilt)));
      distance *= 0.4 + 0.6 * Math.max(wide, (high - low) / 2) * FILLED;
    }
    this.#stand(distance / eye.zoom, before);
    return true;
  }

  /** Stands off the point that lies so far before the board's middle. */
  #stand(distance: number, before: number): void {
    const [around, tilt] = [radians(this.eye.around), radians(Math.max(this.eye.tilt, 0.05))];
    const [ax, ay] = [Math.sin(around), -Math.cos(around)];
    const out = Math.sin(tilt) * distance + before;
    this.camera.position.set(ax * out, ay * out, Math.cos(tilt) * distance);
    this.camera.lookAt(ax * before, ay * before, 0);
    this.camera.updateMatrixWorld();
  }

  /** How far the board reaches in the picture, which is 1 to every side. */
  #reach(): { wide: number; low: number; high: number } {
    const seen = new Vector3();
    const reach = { wide: 0, low: Infinity, high: -Infinity };
    for (const corner of this.#corners) {
      seen.copy(corner).project(this.camera);
      reach.wide = Math.max(reach.wide, Math.abs(seen.x));
      reach.low = Math.min(reach.low, seen.y);
      reach.high = Math.max(reach.high, seen.y);
    }
    return reach;
  }
}
