// The open tables. The page subscribes while the list is visible.
import type { LobbyTable, Broadcast } from "./protocol";
import { socket } from "./socket.svelte";

export class Lobby {
  /** Null until the server has sent the list. */
  tables = $state.raw<LobbyTable[] | null>(null);

  watch(): void {
    socket.listener = this;
    socket.open();
  }

  leave(): void {
    if (socket.listener === this) socket.listener = null;
    socket.ask({ do: "lobby", on: false }).catch(() => {});
  }

  opened(): void {
    socket.ask({ do: "lobby", on: true }).catch(() => {});
  }

  receive(message: Broadcast): void {
    if (message.type !== "lobby") return;
    this.tables = message.tables;
  }
}
