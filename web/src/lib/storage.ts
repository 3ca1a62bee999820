// What this browser remembers from visit to visit. Storage may be closed to us: then nothing is remembered.

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
    // nothing is remembered
  }
}
