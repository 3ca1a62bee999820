// Settings that several games share: who begins, and partners.
import type { Agreed, OptionValue } from "../lib/protocol";
import type { Setting } from "./contract";

/** Who begins: drawn by lot, or one of the seats. */
export function whoBegins({ players }: Agreed): Setting {
  const seats = Array.from({ length: Number(players) }, (_, k) => k + 1);
  return {
    option: "start",
    label: { key: "page.start" },
    choices: [{ value: "lot", label: { key: "page.start.lot" } }, ...seats.map((seat) => ({ value: seat as OptionValue, label: { key: "page.start.seat", params: { seat } } }))],
  };
}

/** Whether four players play in pairs; with fewer there is no choice. The usual choice comes first; `alone` names the other. */
export function pairs({ players }: Agreed, usual: boolean, alone = "page.teams.false"): Setting[] {
  if (players !== 4) return [];
  const label = (value: boolean): string => (value ? "page.teams.true" : alone);
  return [{ option: "teams", label: { key: "page.teams" }, choices: [usual, !usual].map((value) => ({ value, label: { key: label(value) } })) }];
}

/** The team of a seat in pairs: partners sit opposite. */
export const teamOf = (agreed: Agreed, seat: number): number | null => (agreed.teams ? ((seat - 1) % 2) + 1 : null);
