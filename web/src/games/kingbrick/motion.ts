// What moved, frame by frame: the compact trajectory of a flick, unpacked.
import type { Action } from "./eyes";
import type { Pose } from "./view";

interface Track {
  first: number;
  /** Seven numbers a frame. */
  poses: Float32Array;
}

const STEP = 0.02; // millimetres
const FINGER = 255;
const MOVED = 0.1; // millimetres: less is not seen
const GRAVITY = 9810; // millimetres per second squared
/** Which of the four parts of a quaternion travel when the k-th is the largest. */
const OTHERS = [
  [1, 2, 3],
  [0, 2, 3],
  [0, 1, 3],
  [0, 1, 2],
] as const;

export class Motion {
  constructor(
    readonly rate: number,
    readonly frames: number,
    readonly tracks: ReadonlyMap<string, Track>,
    readonly finger: Track | null,
  ) {}

  get seconds(): number {
    return this.frames / this.rate;
  }

  /** When the first brick leaves its place: before that the finger comes near. */
  get begins(): number {
    return Math.max(0, Math.min(this.frames, ...[...this.tracks.values()].map(leaving)) - 1) / this.rate;
  }

  /** When a brick leaves its place, in seconds; never, if it stays. */
  leaves(brick: string): number {
    const track = this.tracks.get(brick);
    return track ? leaving(track) / this.rate : Infinity;
  }

  /** The highest speed of a brick, in m/s. */
  fastest(brick: string): number {
    const { poses } = this.tracks.get(brick) ?? { poses: new Float32Array() };
    let most = 0;
    for (let at = 7; at < poses.length; at += 7) most = Math.max(most, Math.hypot(poses[at]! - poses[at - 7]!, poses[at + 1]! - poses[at - 6]!));
    return (most * this.rate) / 1000;
  }

  /** Where a brick is at a time, or null if it does not move at all. */
  poseAt(brick: string, seconds: number): Pose | null {
    const track = this.tracks.get(brick);
    return track ? between(track, seconds * this.rate) : null;
  }

  /** The part of the board where bricks move at a time; null while none does. */
  actionAt(seconds: number): Action | null {
    const frame = seconds * this.rate;
    const moving = [...this.tracks.values()].flatMap((track) => {
      const [a, b] = [between(track, frame - 1), between(track, frame + 1)];
      return Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!) > MOVED ? [b] : [];
    });
    if (!moving.length) return null;
    const [xs, ys] = [moving.map(([x]) => x!), moving.map(([, y]) => y!)];
    return { left: Math.min(...xs), right: Math.max(...xs), near: Math.min(...ys), far: Math.max(...ys) };
  }

  fingerAt(seconds: number): Pose | null {
    const { finger } = this;
    if (!finger || seconds * this.rate > finger.first + finger.poses.length / 7 + this.rate * 0.12) return null;
    return between(finger, seconds * this.rate);
  }

  /** A brick that left the board goes on falling, as far as the table beneath. */
  fallAt(brick: string, seconds: number, floor: number): Pose | null {
    const track = this.tracks.get(brick);
    const pose = this.poseAt(brick, seconds);
    if (!track || !pose) return null;
    const count = track.poses.length / 7;
    const last = track.first + count - 1;
    const past = seconds - last / this.rate;
    if (past <= 0 || count < 2) return pose;
    const before = between(track, last - 1);
    const [vx, vy, vz] = [0, 1, 2].map((k) => (pose[k]! - before[k]!) * this.rate) as [number, number, number];
    const landing = (vz + Math.sqrt(vz * vz + 2 * GRAVITY * Math.max(0, pose[2]! - floor))) / GRAVITY;
    const t = Math.min(past, landing);
    return [pose[0]! + vx * t, pose[1]! + vy * t, Math.max(floor, pose[2]! + vz * t - (GRAVITY * t * t) / 2), ...pose.slice(3)];
  }
}

/** The first frame in which a brick is elsewhere. */
function leaving({ first, poses }: Track): number {
  const [x, y, z] = poses as unknown as [number, number, number];
  let frame = 0;
  while (frame < poses.length / 7 && Math.hypot(poses[frame * 7]! - x, poses[frame * 7 + 1]! - y, poses[frame * 7 + 2]! - z) < MOVED) frame++;
  return first + frame;
}

function between({ first, poses }: Track, frame: number): Pose {
  const count = poses.length / 7;
  const at = Math.max(0, Math.min(count - 1, frame - first));
  const low = Math.floor(at);
  const part = at - low;
  const a = poses.subarray(low * 7, low * 7 + 7);
  if (part === 0) return Array.from(a);
  const b = poses.subarray(low * 7 + 7, low * 7 + 14);
  const sign = a[3]! * b[3]! + a[4]! * b[4]! + a[5]! * b[5]! + a[6]! * b[6]! < 0 ? -1 : 1;
  const pose = Array.from(a, (value, k) => value * (1 - part) + b[k]! * part * (k < 3 ? 1 : sign));
  const length = Math.hypot(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
  return pose.map((value, k) => (k < 3 ? value : value / length));
}

/** Unpacks what the server sent: base64 of a deflated stream. */
export async function readMotion(text: string): Promise<Motion> {
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  const written = Promise.all([writer.write(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))), writer.close()]);
  const [bytes] = await Promise.all([new Response(readable).arrayBuffer(), written]);
  return decode(new DataView(bytes));
}

export function decode(bytes: DataView): Motion {
  if (bytes.getUint8(0) !== 1) throw new Error(`a trajectory of version ${bytes.getUint8(0)}; 1 is known`);
  const tracks = new Map<string, Track>();
  let finger: Track | null = null;
  let at = 5;
  for (let left = bytes.getUint8(4); left > 0; left--) {
    const [side, number] = [bytes.getUint8(at), bytes.getUint8(at + 1)];
    const [first, count] = [bytes.getUint16(at + 2, true), bytes.getUint16(at + 4, true)];
    const track = { first, poses: unpack(bytes, at + 6, count) };
    if (side === FINGER) finger = track;
    else tracks.set((side ? "b" : "r") + number, track);
    at += 6 + 12 * count;
  }
  return new Motion(bytes.getUint8(1), bytes.getUint16(2, true), tracks, finger);
}

/** Six columns of second differences, each as its low bytes and then its high ones. */
function unpack(bytes: DataView, at: number, count: number): Float32Array {
  const columns = Array.from({ length: 6 }, (_, k) => {
    const column = new Uint16Array(count);
    let speed = 0;
    for (let n = 0; n < count; n++) {
      const difference = bytes.getUint8(at + 2 * k * count + n) | (bytes.getUint8(at + (2 * k + 1) * count + n) << 8);
      if (n > 0) speed = (speed + difference) & 0xffff;
      column[n] = n === 0 ? difference : column[n - 1]! + speed;
    }
    return column;
  }) as [Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array];
  const poses = new Float32Array(count * 7);
  for (let n = 0; n < count; n++) {
    for (let k = 0; k < 3; k++) poses[n * 7 + k] = ((columns[k]![n]! << 16) >> 16) * STEP;
    poses.set(quaternion(columns[3][n]!, columns[4][n]!, columns[5][n]!), n * 7 + 3);
  }
  return poses;
}

/** Three parts of 15 bits; the lowest bits of the first two words say which part is left out, the largest. */
function quaternion(a: number, b: number, c: number): number[] {
  const largest = (a & 1) | ((b & 1) << 1);
  const parts = [a >> 1, b >> 1, c].map((word) => ((word / 32767) * 2 - 1) * Math.SQRT1_2);
  const whole = [0, 0, 0, 0];
  OTHERS[largest]!.forEach((place, k) => (whole[place] = parts[k]!));
  whole[largest] = Math.sqrt(Math.max(0, 1 - parts.reduce((sum, part) => sum + part * part, 0)));
  return whole;
}
