// The server's routes: a refusal is shown in words.
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { newTable, whyNot } from "../src/lib/server";
import { loadWords, t } from "../src/lib/words.svelte";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: {} });
  return loadWords("page");
});
afterEach(() => vi.unstubAllGlobals());

/** Why the server refuses a table, when it answers so. */
async function refusal(body: string): Promise<string> {
  const guest = new Response('{"name": "Wren"}');
  vi.stubGlobal("fetch", (route: string) => Promise.resolve(route === "/api/me" ? guest.clone() : new Response(body, { status: 429 })));
  return newTable("pinpoint", {}, []).then(() => "", whyNot);
}

test("a refusal that the page has words for is told with them", async () => {
  expect(await refusal('{"code": "address/too-many", "text": ""}')).toBe(t("refused.address/too-many"));
});

test("any other one is told in general", async () => {
  expect(await refusal('{"code": "of/another-kind"}')).toBe(t("new.failed"));
  expect(await refusal("no JSON at all")).toBe(t("new.failed"));
});
