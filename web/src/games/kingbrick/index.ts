// KingBrick on the shelf.
import type { GameFolder } from "../contract";
import Art from "./BoxArt.svelte";

const folder: GameFolder = {
  Art,
  tint: "#9a6b3f",
  players: "2",
  minutes: "20–40",
  settings: () => [
    {
      option: "extra",
      choices: [
        { value: false, label: { key: "kingbrick.extra.no" } },
        { value: true, label: { key: "kingbrick.extra.yes" } },
      ],
    },
    {
      option: "start",
      choices: [
        { value: "lot", label: { key: "kingbrick.start.lot" } },
        { value: 1, label: { key: "kingbrick.start.red" } },
        { value: 2, label: { key: "kingbrick.start.blue" } },
      ],
    },
  ],
  table: async () => (await import("./table")).default,
};

export default folder;
