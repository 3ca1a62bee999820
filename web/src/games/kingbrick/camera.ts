// The camera: it looks at the board from around it or from above, near or far, at its middle or at a part of it.
import { PerspectiveCamera, Vector3 } from "three";
import { across, type Action, type Eye } from "./eyes";
import { radians } from "./geometry";

const STEEPEST = 78;
const NEAREST = 4;
const FARTHEST = 0.8;
const FILLED = 1.03; // the board fills nearly all of the picture
const GLIDE = 420; // milliseconds from one view to the next
const CLOSE_UP = 1.7; // the nearest that the camera comes by itself
const ROOM = 190; // mm around the action that stay in the picture
const HASTE = 3.2; // how quickly the camera follows: the share of the way that it goes in a second

export class Viewer {
  readonly camera = new PerspectiveCamera(30, 1, 100, 6000);
  eye: Eye = across(1);
  /** The parts of the picture's height that buttons cover, where the whole board is shown. */
  covered = { top: 0, bottom: 0 };
  #from: Eye | null = null;
  #to: Eye | null = null;
  #began = 0;
  #corners: Vector3[];
  #settled = "";
  /** What the player saw before the camera followed the action. */
  #before: Eye | null = null;

  constructor(
    readonly width: number,
    readonly length: number,
  ) {
    this.camera.up.set(0, 0, 1);
    const [x, y] = [width / 2 + 26, length / 2 + 6];
    this.#corners = [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-16, 24].map((z) => new Vector3(a * x, b * y, z))));
  }

  /** Go there, at once or in a short glide by the short way round. */
  go(to: Eye, glide: boolean, now = performance.now()): void {
    const turned = ((((to.around - this.eye.around) % 360) + 540) % 360) - 180;
    this.#before = null;
    this.#to = { ...to, around: this.eye.around + turned };
    this.#from = glide ? { ...this.eye } : null;
    this.#began = now;
    if (!glide) this.#arrive();
  }

  turnBy(around: number, tilt: number): void {
    this.#look({ around: this.eye.around + around, tilt: within(this.eye.tilt + tilt, 0, STEEPEST) });
  }

  zoomBy(factor: number): void {
    this.#look({ zoom: within(this.eye.zoom * factor, FARTHEST, NEAREST) });
  }

  /** Look at another part of the board; a little beyond its edges at most. */
  panBy(x: number, y: number): void {
    this.#look({ x: within(this.eye.x + x, -this.width / 2, this.width / 2), y: within(this.eye.y + y, -this.length / 2, this.length / 2) });
  }

  /** The player moves the camera: it neither glides nor follows any more. */
  #look(part: Partial<Eye>): void {
    this.#to = this.#before = null;
    this.eye = { ...this.eye, ...part };
  }

  /** Come a little nearer to the action, `seconds` after the last look. */
  follow({ left, right, near, far }: Action, seconds: number): void {
    if (this.#to && !this.#before) return; // it goes somewhere else
    this.#before ??= { ...this.eye };
    const wide = Math.max((right - left + ROOM) / this.width, (far - near + ROOM) / this.length);
    const zoom = Math.max(this.#before.zoom, within(1 / wide, 1, CLOSE_UP));
    // a camera that shows the whole board looks at its middle
    const share = 1 - 1 / zoom;
    const [x, y] = [within((left + right) / 2, (-share * this.width) / 2, (share * this.width) / 2), within((near + far) / 2, (-share * this.length) / 2, (share * this.length) / 2)];
    const part = 1 - Math.exp(-HASTE * seconds);
    const towards = (from: number, to: number): number => from + (to - from) * part;
    this.eye = { ...this.eye, zoom: towards(this.eye.zoom, zoom), x: towards(this.eye.x, x), y: towards(this.eye.y, y) };
  }

  /** Nothing happens any more: go back to what the player saw. */
  unfollow(): void {
    if (!this.#before) return;
    const { zoom, x, y } = this.#before;
    this.go({ ...this.eye, zoom, x, y }, true);
  }

  /** Go on with a glide. Return whether there is more to come. */
  glide(now: number): boolean {
    if (!this.#to || !this.#from) return false;
    const part = Math.min(1, (now - this.#began) / GLIDE);
    const eased = part * part * (3 - 2 * part);
    const mix = (key: keyof Eye): number => this.#from![key] + (this.#to![key] - this.#from![key]) * eased;
    this.eye = { around: mix("around"), tilt: mix("tilt"), zoom: mix("zoom"), x: mix("x"), y: mix("y") };
    if (part === 1) this.#arrive();
    return part < 1;
  }

  #arrive(): void {
    this.eye = this.#to!;
    this.#to = this.#from = null;
  }

  /** Put the camera so that it shows the whole board, or the part that the eye looks at. Return whether it moved. */
  settle(aspect: number): boolean {
    const { camera, eye } = this;
    const { top, bottom } = this.covered;
    const now = [aspect, eye.around, eye.tilt, eye.zoom, eye.x, eye.y, top, bottom].join();
    if (now === this.#settled) return false;
    this.#settled = now;
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    let [distance, before] = [1200, 0];
    for (let k = 0; k < 14; k++) {
      this.#stand(distance, before, 0, 0);
      const { wide, low, high } = this.#reach();
      // a picture is `span` high at that distance: the board's is moved into its middle and made to fill it
      const span = distance * Math.tan(radians(camera.fov / 2));
      before -= (((high + low) / 2 - (bottom - top)) * span) / Math.max(0.35, Math.cos(radians(eye.tilt)));
      distance *= 0.4 + 0.6 * Math.max(wide, (high - low) / 2 / (1 - top - bottom)) * FILLED;
    }
    this.#stand(distance / eye.zoom, before, eye.x, eye.y);
    return true;
  }

  /** Stand off the point that lies so far before the board's middle, and (x, y) beside it. */
  #stand(distance: number, before: number, x: number, y: number): void {
    const [around, tilt] = [radians(this.eye.around), radians(Math.max(this.eye.tilt, 0.05))];
    const [ax, ay] = [Math.sin(around), -Math.cos(around)];
    const out = Math.sin(tilt) * distance + before;
    this.camera.position.set(ax * out + x, ay * out + y, Math.cos(tilt) * distance);
    this.camera.lookAt(ax * before + x, ay * before + y, 0);
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

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
