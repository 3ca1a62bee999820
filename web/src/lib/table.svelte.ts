// The state of a table in this page: what the server sent, and what the players at this device ask of it. New entries go
// through the queue (entry-queue), past positions through the replay, words through the narration.
import type { GameFolder, GameTable } from "../games/contract";
import { timeToShow, type ClockReading } from "./clock";
import { EntryQueue, type Step } from "./entry-queue.svelte";
import { rememberSent } from "./fairness";
import { Promises } from "./promises";
import type { Agreed, ClockWanted, EntriesMessage, Entry, Given, Message, Broadcast, Phrase, Position, Seal, Seat, TableMessage } from "./protocol";
import { playerName } from "./bots";
import { planNames, plannedNames } from "./names";
import { Narration } from "./narration.svelte";
import { refusalText } from "./refusals";
import { Replay } from "./replay.svelte";
import { citedRule } from "./sections";
import { me } from "./server";
import { Lost, Refused, socket } from "./socket.svelte";
import { play } from "./sound.svelte";
import { standing } from "./story";
import { saidText, Talk } from "./talk.svelte";
import { latestTurns, turnsOf } from "./turns";
import { capital, say, t } from "./words.svelte";

const NOT_STORED = "server/storage"; // the code of a refusal: the server cannot reach its database
const AGAIN = 1000; // milliseconds until a table that could not be read is asked for again
const TOO_MANY = 9; // entries at once: the page jumps to the present instead of showing them all

export interface Notice {
  text: string;
  /** The address of the rule that it cites. */
  rule: string | null;
  /** When it was shown. */
  at: number;
}

/** A suggested move. First come a few words that say less: what kind of move, then where. */
export interface Hint {
  move: string;
  message: Message;
  steps: Message[];
  /** How many of the steps were told; past the last one, the move itself. */
  told: number;
}

export class Table {
  game = $state<string | null>(null);
  options = $state.raw<Agreed>({});
  link = $state("");
  rematch = $state<string | null>(null);
  creator = $state(false);
  listed = $state(false);
  /** The host has closed the table to new guests, and this guest is new. */
  closed = $state(false);
  newcomer = $state(false);
  delay = $state(0);
  agreedClock = $state.raw<ClockWanted | null>(null);
  seal = $state.raw<Seal | null>(null);
  /** The position of another match that this one began from. */
  given = $state.raw<Given | null>(null);
  /** The match was played elsewhere. */
  uploaded = $state(false);
  canChat = $state(false);
  seats = $state.raw<Seat[]>([]);
  /** When the server last sent the seats. */
  seatsAt = $state(0);
  started = $state(false);
  unknown = $state(false);
  /** The host cancelled the table before the match. */
  cancelled = $state(false);

  entries = $state.raw<Entry[]>([]);
  now = $state.raw<Position | null>(null);
  lit = $state.raw<Entry | null>(null);
  pending = $state<string | null>(null);
  /** The computer's hint; "asked" while it thinks. */
  hint = $state.raw<Hint | "asked" | null>(null);
  notice = $state<Notice | null>(null);
  spoken = $state("");
  clock = $state.raw<ClockReading | null>(null);
  talk: Talk;
  ended = $state<"before" | "just now" | null>(null);

  /** The game's folder, once it is loaded. */
  folder = $state.raw<GameFolder | null>(null);
  /** The part of it for the table. */
  play = $state.raw<GameTable | null>(null);
  /** This page has no folder for the game. */
  cannotDraw = $state(false);
  /** The text in large letters over the board, and the entry that it announces. */
  banner = $state.raw<{ text: string; entry: Entry } | null>(null);

  readonly queue = new EntryQueue({
    isOwn: (entry) => this.seatOf(entry.by)?.mine ?? false,
    timeToShow: () => timeToShow(this.clock, this.mine.map(({ seat }) => seat), Date.now()),
    viewAfter: (n) => this.viewAfter(n),
    show: (step, view) => this.#show(step, view),
    isEvent: (entry) => this.play?.banner?.(entry, null) != null,
  });
  readonly replay = new Replay(this);
  readonly narration = new Narration(this);

  #sitting = new Set<number>();
  #heard = 0; // the number of the last entry that the server sent
  #promises: Promises;
  #eye: number | null = null; // the seat for which the log was read

  /** `watching` is true on a page where nothing can be played, not even a seat taken. */
  constructor(
    readonly id: string,
    readonly watching = false,
  ) {
    this.talk = new Talk(id);
    const quietly = (message: Record<string, unknown> & { do: string }) => socket.ask({ ...message, table: id }).catch(() => null);
    this.#promises = new Promises(id, (message) => (message.do === "sit" ? this.#ask(message) : quietly(message)));
  }

  /** The seat at this device that may act now. A seat for which a bot plays may not. */
  acting = $derived.by(() => {
    const { to_move = [], eye = null, thinking = null } = this.now ?? {};
    const mine = to_move.filter((seat) => this.seatOf(seat)?.mine && seat !== thinking);
    return mine.find((seat) => seat === eye) ?? mine[0] ?? null;
  });
  /** The legal moves of that seat; null during a replay and while a move is on its way. */
  legal = $derived.by(() =>
    this.acting === null || this.replay.looking || this.pending !== null || !this.queue.isEmpty ? null : this.now?.legal[this.acting],
  );
  /** On one device, in a game with hidden hands: the seat to move, as long as its player has not said to be ready. */
  awaited = $derived.by(() => (this.now?.eye === null && this.queue.isEmpty ? this.acting : null));
  view = $derived(this.replay.looking ? this.replay.looking.view : this.now?.view);
  mine = $derived(this.seats.filter((seat) => seat.mine));
  /** The seat that acts for this device: the one to move here, or else the first. */
  voice = $derived(this.acting ?? this.mine[0]?.seat ?? null);
  /** Whether all other seats are bots. */
  amongUs = $derived(this.mine.length > 0 && this.seats.every((seat) => seat.mine || seat.bot));
  /** Whether there is anybody to chat with. */
  sociable = $derived(this.seats.some((seat) => !seat.mine && !seat.bot));
  free = $derived(this.seats.filter((seat) => !seat.taken));
  result = $derived(this.queue.isEmpty ? (this.now?.result ?? null) : null);
  /** The entries that stand: without those that were taken back. */
  line = $derived(standing(this.entries));
  /** The lines of the log. */
  turns = $derived.by(() => turnsOf(this.entries, this.line, this.play?.startsTurn).filter((turn) => this.narration.chipsOf(turn).length > 0));
  /** The last entry of the board that is shown, and its turn. */
  shown = $derived.by(() => {
    const entry = this.replay.looking ? (this.entries[this.replay.looking.entry - 1] ?? null) : this.lit;
    const turn = entry && (this.turns.findLast(({ entries }) => entries[0]!.n <= entry.n) ?? null);
    return { entry, turn };
  });
  /** The entries that led to the board that is shown, without those that were taken back. */
  past = $derived.by(() => (this.replay.looking ? standing(this.entries.slice(0, this.replay.looking.entry)) : this.line));
  /** The entries of the last turns before the board that is shown. The board marks them. */
  recent = $derived.by(() => {
    const looking = this.replay.looking;
    if (!looking) return latestTurns(this.turns).flatMap(({ entries }) => entries);
    const known = this.entries.slice(0, looking.entry);
    return latestTurns(turnsOf(known, this.past, this.play?.startsTurn)).flatMap(({ entries }) => entries);
  });

  /** The team of a seat, from 1; null where everybody plays alone. */
  teamOf = (seat: number): number | null => this.folder?.team?.(this.options, seat) ?? null;

  seatOf(seat: number): Seat | undefined {
    return this.seats[seat - 1];
  }

  nameOf = (seat: number): string => {
    const it = this.seatOf(seat);
    return (it && playerName(this.seats, seat - 1)) || t("seat.number", { seat });
  };

  // The connection

  watch(): void {
    socket.listener = this;
    socket.open();
  }

  leave(): void {
    if (socket.listener === this) socket.listener = null;
    socket.ask({ do: "leave", table: this.id }).catch(() => {});
  }

  opened(): void {
    this.pending = this.hint = null;
    socket.ask({ do: "watch", table: this.id, have: this.#heard }).catch((why: unknown) => {
      if (!(why instanceof Refused)) return;
      if (why.code.startsWith("table/")) this.unknown = true;
      if (why.code !== NOT_STORED) return;
      this.explain(refusalText(NOT_STORED)); // the server has lost its database: it asks again until it is back
      setTimeout(() => socket.listener === this && this.opened(), AGAIN);
    });
  }

  receive(message: Broadcast): void {
    if (message.type === "lobby" || message.table !== this.id) return;
    if (message.type === "cancelled") return void (this.cancelled = true);
    if (message.type === "declined") return this.explain(t("ask.takeback.declined", { name: this.nameOf(message.by) }));
    if (message.type !== "said") return this.#happened(message);
    const mine = this.seatOf(message.seat)?.mine ?? false;
    if (!this.talk.hear(message, mine) || mine) return;
    this.spoken = t("talk.said", { name: this.nameOf(message.seat), text: saidText(message) });
    play("talk");
  }

  #happened(message: TableMessage | EntriesMessage): void {
    const first = this.now === null;
    this.clock = message.clock && { clock: message.clock, at: Date.now() };
    if (message.seal !== undefined) this.seal = message.seal;
    if (message.type === "table") this.#seated(message);
    if ((message.type === "table" ? message.have : message.after) > this.#heard) return this.opened(); // a message was missed
    rememberSent(this.id, message.entries);
    const fresh = message.entries.filter((entry) => entry.n > this.#heard);
    this.#heard = Math.max(this.#heard, ...fresh.map((entry) => entry.n));
    if (fresh.length) this.pending = this.hint = null;
    this.#readAgain(message);
    if (!this.now?.view || fresh.length >= TOO_MANY) this.#jump(message, fresh);
    else if (fresh.length || !this.queue.isEmpty) this.queue.add(fresh, message);
    else this.now = message;
    if (first && message.result) this.ended = "before";
  }

  /** Ask for the whole log again when another seat may read it, and at the end: entries show what that seat may know. */
  #readAgain(message: TableMessage | EntriesMessage): void {
    const turned = (message.eye === null) !== (this.#eye === null) || (message.result && !this.now?.result);
    this.#eye = message.eye;
    if (message.type === "table" && message.have === 0) {
      const anew = (entry: Entry): Entry => message.entries[entry.n - 1] ?? entry;
      this.entries = this.entries.map(anew);
      this.queue.reread(anew);
      this.lit = this.line.at(-1) ?? null;
    } else if (turned) socket.ask({ do: "watch", table: this.id, have: 0 }).catch(() => {});
  }

  #seated(message: TableMessage): void {
    this.game = message.game;
    this.options = message.options;
    this.link = message.link;
    if (message.rematch && !this.rematch) this.talk.followTo(message.rematch, message.seats.length);
    this.rematch = message.rematch;
    this.creator = message.creator;
    this.listed = message.open;
    this.closed = message.closed;
    this.newcomer = message.newcomer;
    this.delay = message.delay;
    this.agreedClock = message.agreed_clock;
    this.given = message.given;
    this.uploaded = message.uploaded;
    this.canChat = message.chat;
    this.seats = message.seats;
    this.seatsAt = Date.now();
    this.started = message.started;
    this.talk.recall(message.said);
    if (this.watching) return;
    for (const seat of message.seats) if (seat.reserved === "you") void this.#sitDown(seat.seat);
    if (!message.started) this.#promises.show(message.seats, message.seal);
  }

  /** Take a seat that this guest reserved, without another click. */
  async #sitDown(seat: number): Promise<void> {
    if (this.#sitting.has(seat)) return;
    this.#sitting.add(seat);
    await this.sit(seat, plannedNames(this.id)[seat] ?? (await me()).name);
    this.#sitting.delete(seat);
  }

  // Showing what happened

  #jump(position: Position, fresh: Entry[]): void {
    this.entries = [...this.entries, ...this.queue.flush(), ...fresh];
    this.now = position;
    this.lit = this.line.at(-1) ?? null;
  }

  #show({ entry, position }: Step, view: unknown): void {
    const before = this.acting;
    this.entries = [...this.entries, entry];
    if (position) this.now = position;
    else if (view && this.now) this.now = { ...this.now, view, legal: {}, to_move: [] };
    this.lit = this.line.at(-1) ?? null;
    this.spoken = entry.by || !this.turns.length ? this.narration.tell(entry) : this.narration.tellTurn(this.turns.at(-1)!);
    const you = this.mine.length > 1 ? null : (this.now?.eye ?? null); // several players read a shared device: "you" is nobody
    const banner = this.play?.banner?.(entry, you);
    if (banner) this.banner = { text: say(banner, this.nameOf), entry };
    if (position?.result) this.ended = "just now";
    if (position?.result) play("end");
    else if (position && this.acting !== null && before === null && !this.amongUs) play("turn");
    else play(this.narration.scoreOf(entry) ? "points" : "move");
  }

  /** Fetch the view after an entry; null when the server does not answer. */
  async viewAfter(entry: number): Promise<unknown> {
    try {
      return (await socket.ask({ do: "look", table: this.id, entry })).view;
    } catch {
      return null;
    }
  }

  // What people do

  async move(text: string): Promise<void> {
    if (this.acting === null) return;
    this.pending = text;
    this.notice = this.hint = null;
    await this.#ask({ do: "move", seat: this.acting, move: text, after: this.#heard });
    if (this.pending === text) this.pending = null; // refused, or made in secret
  }

  /** Tell the server that the player to move is ready. Only then does it send that player's hand. */
  async ready(): Promise<void> {
    if (this.awaited !== null) await this.#ask({ do: "ready", seat: this.awaited });
  }

  /** Resign, claim the win, offer a draw or withdraw the offer, agree to hints for everybody or end them. */
  async conduct(move: "resign" | "claim" | "offer draw" | "withdraw" | "hints on" | "hints off"): Promise<void> {
    const inTime = this.mine.find(({ seat }) => !this.clock?.clock.late.includes(seat)); // another seat at this device may be late
    const seat = move === "claim" ? (inTime?.seat ?? this.voice) : this.voice;
    if (seat !== null) await this.#ask({ do: "move", seat, move, after: this.#heard });
  }

  /** The seat at this device that has to answer an offer of a draw. */
  offered = $derived.by(() => {
    const { offer = null, accepted = [] } = this.now ?? {};
    if (offer === null || this.result) return null;
    return this.mine.find(({ seat }) => seat !== offer && !accepted.includes(seat))?.seat ?? null;
  });

  async answerOffer(yes: boolean): Promise<void> {
    if (this.offered !== null) await this.#ask({ do: "move", seat: this.offered, move: yes ? "accept" : "decline", after: this.#heard });
  }

  /** Take back at once where all others are bots; otherwise ask the others. */
  async takeBack(): Promise<void> {
    if (this.voice !== null) await this.#ask({ do: "takeback", seat: this.voice });
  }

  async answerAsked(yes: boolean): Promise<void> {
    if (this.voice !== null) await this.#ask({ do: "answer", seat: this.voice, yes });
  }

  async standIn(seat: number): Promise<void> {
    if (this.voice !== null) await this.#ask({ do: "standin", seat: this.voice, for: seat });
  }

  /** Take over again from the bot that played meanwhile. */
  async beBack(): Promise<void> {
    await this.#ask({ do: "ping" });
  }

  async say(what: { phrase: Phrase } | { text: string }): Promise<boolean> {
    return this.voice !== null && (await this.#ask({ do: "say", seat: this.voice, ...what })) !== null;
  }

  /** Before the match: empty a seat. A player may stand up, and the host may remove players. */
  async remove(seat: number): Promise<void> {
    await this.#ask({ do: "remove", seat });
  }

  /** Close the table to newcomers, or open it again. */
  async close(on: boolean): Promise<void> {
    await this.#ask({ do: "close", on });
  }

  async cancel(): Promise<boolean> {
    return (await this.#ask({ do: "cancel" })) !== null;
  }

  async fill(seat: number, bot: string): Promise<void> {
    await this.#ask({ do: "fill", seat, bot });
  }

  /** Ask the computer for a hint. A hint that comes after the next entry is dropped. */
  async askHint(): Promise<void> {
    if (this.acting === null || this.hint === "asked") return;
    if (this.hint) return this.#tellHint({ ...this.hint, told: Math.min(this.hint.told + 1, this.hint.steps.length) });
    this.hint = "asked";
    const answer = await this.#ask({ do: "hint", seat: this.acting });
    if (this.hint !== "asked") return;
    const { move, message, after, steps = [] } = answer ?? {};
    if (move && message && after === this.#heard) this.#tellHint({ move, message, steps, told: 0 });
    else this.hint = null;
  }

  #tellHint(hint: Hint): void {
    this.hint = hint;
    this.spoken = this.hintText;
  }

  /** The hint as far as it was asked for, in words. */
  get hintText(): string {
    if (!this.hint || this.hint === "asked") return t("say.hint.wait");
    return t("say.hint", { what: say(this.hint.steps[this.hint.told] ?? this.hint.message, this.nameOf) });
  }

  /** The suggested move, once all that says less was told. */
  get hintedMove(): string | null {
    return this.hint && this.hint !== "asked" && this.hint.told >= this.hint.steps.length ? this.hint.move : null;
  }

  async sit(seat: number, name: string): Promise<void> {
    await this.#promises.sit(seat, name, this.seal);
    if (!this.started) this.#promises.show(this.seats, this.seal);
  }

  /** Return the table of the next match, of this game or another. Its seats, and so the names here, are rotated by one. */
  async askRematch(game?: string): Promise<string | null> {
    const answer = await this.#ask({ do: "rematch", ...(game && { game }) });
    if (!answer?.table) return null;
    planNames(answer.table, Object.fromEntries(this.mine.map((it) => [(it.seat % this.seats.length) + 1, it.name ?? ""])));
    return answer.table;
  }

  /** Show a notice, for instance why a move is refused. It disappears by itself. */
  explain(text: string, rule: string | null = null): void {
    this.notice = { text: capital(text), rule, at: performance.now() };
  }

  /** Show why the rules refuse a move, with a link to the rule. */
  refuse(reason: Message): void {
    this.explain(say(reason), citedRule(this.game, this.play, reason));
  }

  async #ask(message: Record<string, unknown> & { do: string }) {
    try {
      return await socket.ask({ ...message, table: this.id });
    } catch (why) {
      if (why instanceof Refused && why.reason && why.code !== "match/stale") this.refuse(why.reason);
      else if (why instanceof Refused && why.code !== "match/stale") this.explain(refusalText(why.code));
      else if (why instanceof Lost) this.explain(t("connection.not_sent"));
      return null;
    }
  }
}
