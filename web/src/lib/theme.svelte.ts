// Light or dark: as the system says, until the user chooses.
import { remember } from "./storage";

export type Theme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");
let systemIsDark = $state(system.matches);
let chosen = $state(document.documentElement.dataset.theme as Theme | undefined);
system.addEventListener("change", () => (systemIsDark = system.matches));

export function currentTheme(): Theme {
  return chosen ?? (systemIsDark ? "dark" : "light");
}

export function switchTheme(): void {
  chosen = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = chosen;
  remember("theme", chosen);
}
