// The server's signature under a record, as Python wrote it.
import { describe, expect, test } from "vitest";
import { canonical, signedBy } from "../src/lib/signature";
import type { MatchRecord } from "../src/lib/protocol";
import signed from "./signed.json";

const record = signed as unknown as MatchRecord;
const key = signed.signature.key;

describe("the signature of a record", () => {
  test("keys are sorted and nothing is between them", () => {
    expect(canonical({ b: [1, null, "é\n"], a: { d: true, c: {} } })).toBe('{"a":{"c":{},"d":true},"b":[1,null,"é\\n"]}');
  });

  test("holds as it was signed", async () => {
    expect(await signedBy(record, key)).toBe("yes");
  });

  test("does not hold for another record, or another key", async () => {
    expect(await signedBy({ ...record, log: record.log.slice(1) }, key)).toBe("no");
    expect(await signedBy(record, "00".repeat(32))).toBe("no");
  });

  test("is not known where there is none", async () => {
    const { signature: _, ...unsigned } = record;
    expect(await signedBy(unsigned, key)).toBe("unknown");
  });
});
