// The names that people at this device chose before their table was there, by seat; they sit down with them.

type Names = Record<number, string>;

export function planNames(table: string, names: Names): void {
  try {
    sessionStorage.setItem("ludoteca.names." + table, JSON.stringify(names));
  } catch {
    // then they sit down under the guest's name
  }
}

export function plannedNames(table: string): Names {
  try {
    return JSON.parse(sessionStorage.getItem("ludoteca.names." + table) ?? "{}") as Names;
  } catch {
    return {};
  }
}
