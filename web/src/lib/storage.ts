// What this browser remembers between visits. If its storage is closed, nothing is remembered.

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem("ludoteca." + name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem("ludoteca." + name);
    else localStorage.setItem("ludoteca." + name, value);
  } catch {
    // storage is closed
  }
}
