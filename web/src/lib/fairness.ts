// The fairness seal, checked in the page: docs/notation.md says what the seal is.

/** The SHA-256 of a seed in hex, or null where the browser will not compute it (no secure connection). */
export async function fingerprint(seed: string): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
