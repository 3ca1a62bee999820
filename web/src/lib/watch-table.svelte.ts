// What every page of one table does: it watches the table, opens the folder of its game, and colours its seats.
import { onMount, untrack } from "svelte";
import { openFolder } from "../games/shelf";
import { colourSeats } from "./seat-colours";
import { Table } from "./table.svelte";

/** Return a table that is watched for as long as the page is open; with `watching` nothing can be played. Call it while the page is set up. */
export function watchTable(id: string, watching = false): Table {
  const table = new Table(id, watching);
  onMount(() => {
    table.watch();
    return () => table.leave();
  });
  $effect(() => {
    const key = table.game;
    if (key) void untrack(() => unpack(table, key));
  });
  $effect(() => colourSeats(table.seats.map(({ seat }) => seat), table.play, table.view));
  return table;
}

async function unpack(table: Table, key: string): Promise<void> {
  const folder = await openFolder(key);
  table.play = (await folder?.table()) ?? null;
  table.folder = folder;
  table.cannotDraw = !table.play;
}
