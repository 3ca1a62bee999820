// KingBrick on the shelf.
import type { GameFolder } from "../contract";
import { whoBegins } from "../settings";
import Art from "./BoxArt.svelte";

const folder: GameFolder = {
  Art,
  tint: "#9a6b3f",
  players: "2",
  minutes: "10–20",
  settings: (agreed) => [
    {
      option: "extra",
      choices: [
        { value: false, label: { key: "kingbrick.extra.no" } },
        { value: true, label: { key: "kingbrick.extra.yes" } },
      ],
    },
    {
      option: "hand",
      choices: [
        { value: "natural", label: { key: "kingbrick.hand.natural" } },
        { value: "steady", label: { key: "kingbrick.hand.steady" } },
      ],
    },
    whoBegins(agreed),
  ],
  table: async () => (await import("./table")).default,
};

export default folder;
