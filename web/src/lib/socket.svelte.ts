// The page's only socket. It reconnects by itself, and notifies its listeners when it is open again.
import type { Done, Message, Broadcast, Refusal, ServerMessage } from "./protocol";
import { at } from "./root";
import { me } from "./server";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const BEAT = 20_000; // milliseconds between two pings
const PATIENCE = 5000; // milliseconds to wait for the answer; after a phone's sleep none comes

/** The server refused a request. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly reason: Message | null,
  ) {
    super(text);
  }
}

/** The connection was lost before the answer came. The next table message shows whether the request was carried out. */
export class Lost extends Error {}

interface Waiting {
  done: (answer: Done) => void;
  failed: (why: Error) => void;
}

export interface Listener {
  opened(): void;
  receive(message: Broadcast): void;
}

class Socket {
  state = $state<"closed" | "connecting" | "open" | "lost">("closed");
  listener: Listener | null = null;
  #socket: WebSocket | null = null;
  #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beating = false;

  constructor() {
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
    setInterval(() => void this.#beat(), BEAT);
  }

  /** Connect, and reconnect from now on. */
  open(): void {
    if (this.state === "closed") void this.#connect();
    else if (this.state === "open") this.listener?.opened();
  }

  ask(message: Record<string, unknown> & { do: string }): Promise<Done> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Lost());
    const id = ++this.#lastId;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      socket.send(JSON.stringify({ ...message, id }));
    });
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.state === "closed") this.state = "connecting";
    try {
      await me(this.state === "lost"); // the cookie comes first: it holds the guest's seats
    } catch {
      this.#retry();
      return;
    }
    const socket = new WebSocket(new URL(at("/api/socket"), location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    socket.onopen = () => {
      this.state = "open";
      this.#wait = FIRST_WAIT;
      this.listener?.opened();
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string) as ServerMessage);
    socket.onclose = () => this.#socket === socket && this.#retry();
  }

  #retry(): void {
    this.state = "lost";
    this.#socket = null;
    for (const waiting of this.#waiting.values()) waiting.failed(new Lost());
    this.#waiting.clear();
    this.#timer = setTimeout(() => void this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #hurry(): void {
    if (this.state === "open") void this.#beat();
    if (this.#timer === undefined || this.state !== "lost") return;
    this.#wait = FIRST_WAIT;
    void this.#connect();
  }

  /** Send a ping. A connection without an answer is closed at once, not when the system notices. */
  async #beat(): Promise<void> {
    const socket = this.#socket;
    if (this.#beating || this.state !== "open") return;
    this.#beating = true;
    const late = new Promise((go) => setTimeout(() => go("late"), PATIENCE));
    const answer = await Promise.race([this.ask({ do: "ping" }).catch(() => null), late]);
    this.#beating = false;
    if (answer !== "late" || this.#socket !== socket) return;
    socket?.close();
    this.#wait = FIRST_WAIT;
    this.#retry();
  }

  #hear(message: ServerMessage): void {
    if (message.type !== "done" && message.type !== "error") {
      this.listener?.receive(message);
      return;
    }
    const waiting = message.id === null ? undefined : this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id as number);
    if (message.type === "done") waiting.done(message);
    else waiting.failed(refused(message));
  }
}

function refused(message: Refusal): Refused {
  return new Refused(message.code, message.text, message.reason ?? null);
}

export const socket = new Socket();
