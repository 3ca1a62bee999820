// Whether the server signed a record: what the rules and the seal do not prove (names, times, who was a bot) is its word.
import { unhex } from "./fairness";
import type { MatchRecord } from "./protocol";

/** "unknown": this browser cannot check it, or there is no signature. */
export type Signed = "yes" | "no" | "unknown";

/** What is signed: the record without `signature`, its keys sorted, no spaces. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`).join(",")}}`;
}

/** Checks the signature under a record with the server's public key, in hex. */
export async function signedBy(record: MatchRecord, key: string): Promise<Signed> {
  const { signature, ...rest } = record;
  if (!signature || !globalThis.crypto?.subtle) return "unknown";
  if (signature.key !== key) return "no";
  try {
    const known = await crypto.subtle.importKey("raw", unhex(key), "Ed25519", false, ["verify"]);
    const text = new TextEncoder().encode(canonical(rest));
    return (await crypto.subtle.verify("Ed25519", known, unhex(signature.value), text)) ? "yes" : "no";
  } catch {
    return "unknown"; // a browser without Ed25519
  }
}
