// The names that people at this device chose for their seats before the table existed.

type Names = Record<number, string>;

export function planNames(table: string, names: Names): void {
  try {
    sessionStorage.setItem("ludoteca.names." + table, JSON.stringify(names));
  } catch {
    // without stored names, the guest's name is used
  }
}

export function plannedNames(table: string): Names {
  try {
    return JSON.parse(sessionStorage.getItem("ludoteca.names." + table) ?? "{}") as Names;
  } catch {
    return {};
  }
}
