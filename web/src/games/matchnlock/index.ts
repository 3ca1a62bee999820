// Match'n Lock! on the shelf.
import { NAME, type Colour } from "../../lib/colours";
import type { Agreed } from "../../lib/protocol";
import type { GameFolder, Setting } from "../contract";
import { whoBegins } from "../settings";
import Art from "./BoxArt.svelte";
import ColourChooser from "./ColourChooser.svelte";
import { LETTERS } from "./geometry";

/** Return every way to give this number of seats different colours. */
function given(seats: number): Colour[][] {
  if (seats === 0) return [[]];
  return given(seats - 1).flatMap((before) => LETTERS.filter((colour) => !before.includes(colour)).map((colour) => [...before, colour]));
}

function settings(agreed: Agreed): Setting[] {
  const players = Number(agreed.players);
  const colours: Setting = {
    option: "colours",
    Chooser: ColourChooser,
    choices: given(players).map((colours) => ({
      value: colours.join(""),
      label: { key: `matchnlock.colours.${players === 1 ? "one" : "some"}`, params: { colours: colours.map((colour) => ({ key: "matchnlock." + NAME[colour] })) } },
    })),
  };
  return players === 1 ? [colours] : [colours, whoBegins(agreed)];
}

const folder: GameFolder = {
  Art,
  tint: "#456a5f",
  players: "1–4",
  minutes: "30–60",
  settings,
  table: async () => (await import("./table")).default,
};

export default folder;
