// An army and its formation while they are set up: who stands where, from the ground up.
import { restingHeight, turn, type Spot } from "./geometry";
import { standText } from "./notation";
import { FREEZE, KING, KINDS, letterOf, type Kind, type SetupLimits, type Side, type View } from "./view";

export interface Stand extends Spot {
  name: string;
  kind: Kind;
}
export type Counts = Partial<Record<Kind, number>>;

/** `K 4C 12G` as counts. */
export function readArmy(text: string): Counts {
  return Object.fromEntries(text.split(" ").map((group) => [group.slice(-1), Number(group.slice(0, -1) || 1)]));
}

export function armyText(counts: Counts): string {
  return KINDS.flatMap((kind) => (counts[kind] ? [(counts[kind] > 1 ? counts[kind] : "") + kind] : [])).join(" ");
}

export class Formation {
  counts = $state.raw<Counts>({});
  /** In the order in which they are set down. */
  stands = $state.raw<Stand[]>([]);
  chosen = $state<string | null>(null);

  constructor(
    readonly side: Side,
    readonly kinds: View["kinds"],
    readonly limits: SetupLimits,
    readonly size: number,
  ) {
    this.counts = readArmy(limits.standard);
  }

  /** The kinds of all bricks by their names. */
  army = $derived.by(() => {
    const kinds = KINDS.flatMap((kind) => Array.from({ length: this.counts[kind] ?? 0 }, () => kind));
    return kinds.map((kind, k) => ({ name: letterOf(this.side) + (k + 1), kind }));
  });
  points = $derived.by(() => this.army.reduce((sum, { kind }) => sum + this.kinds[kind].cost, 0));
  bricks = $derived.by(() => this.army.filter(({ kind }) => kind !== KING).length);
  /** Bricks that have no place yet. */
  waiting = $derived.by(() => this.army.filter(({ name, kind }) => kind !== FREEZE && !this.stands.some((stand) => stand.name === name)));
  /** How high each stands: what lies under it was set down before. */
  heights = $derived.by(() => {
    const below: { at: Spot; yaw: number; z: number }[] = [];
    return new Map(
      this.stands.map((stand) => {
        const z = restingHeight(stand, below, this.size);
        below.push({ at: stand, yaw: stand.yaw, z });
        return [stand.name, z];
      }),
    );
  });
  picked = $derived.by(() => this.stands.find(({ name }) => name === this.chosen) ?? null);

  canAdd(kind: Kind): boolean {
    return kind !== KING && this.bricks < this.limits.bricks && this.points + this.kinds[kind].cost <= this.limits.points;
  }

  /** One brick of a kind more or less; the others keep their places. */
  change(kind: Kind, by: 1 | -1): void {
    const count = (this.counts[kind] ?? 0) + by;
    if (count < 0 || kind === KING || (by > 0 && !this.canAdd(kind))) return;
    this.recruit({ ...this.counts, [kind]: count });
  }

  /** Another army: bricks of the same kind take over the places there are. */
  recruit(counts: Counts): void {
    const places = this.stands;
    this.counts = counts;
    const free = [...this.army];
    this.stands = places.flatMap((place) => {
      const next = free.findIndex(({ kind }) => kind === place.kind);
      return next < 0 ? [] : [{ ...place, name: free.splice(next, 1)[0]!.name }];
    });
    this.chosen = null;
  }

  /** Bricks fill the spots in the order of their numbers. */
  fill(spots: readonly (readonly [x: number, y: number, yaw: number])[]): void {
    const standing = this.army.filter(({ kind }) => kind !== FREEZE);
    this.stands = standing.flatMap(({ name, kind }, k) => {
      const spot = spots[k];
      return spot ? [{ name, kind, x: spot[0], y: spot[1], yaw: this.side === 2 ? turn(spot[2] + 180) : spot[2], up: 1 }] : [];
    });
    this.chosen = null;
  }

  /** Sets a brick down, on top of whatever is there. */
  put(name: string, to: Partial<Spot>): void {
    const kind = this.army.find((brick) => brick.name === name)?.kind;
    if (!kind) return;
    const before = this.stands.find((stand) => stand.name === name) ?? { name, kind, x: 0, y: 0, yaw: this.side === 2 ? 180 : 0, up: 1 };
    this.stands = [...this.stands.filter((stand) => stand.name !== name), { ...before, ...to }];
    this.chosen = name;
  }

  /** Changes a brick where it stands. */
  adjust(change: Partial<Spot>): void {
    this.stands = this.stands.map((stand) => (stand.name === this.chosen ? { ...stand, ...change } : stand));
  }

  rotate(by: number): void {
    if (this.picked) this.adjust({ yaw: turn(this.picked.yaw + by) });
  }

  takeOff(): void {
    this.stands = this.stands.filter(({ name }) => name !== this.chosen);
    this.chosen = null;
  }

  get ready(): boolean {
    return this.waiting.length === 0 && this.points <= this.limits.points && this.bricks <= this.limits.bricks;
  }

  /** All of the set-up as one move. */
  get move(): string {
    return [`army ${armyText(this.counts)}`, ...this.stands.map((stand) => standText(stand.name, stand)), "ready"].join("\n");
  }
}
