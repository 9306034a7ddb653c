import { expect, test, vi } from "vitest";
import { readBody } from "#lib/intake/body.ts";
import { requestWithBody } from "#testing/site/call-intake.ts";

test("a body that has been read leaves no timer behind", async () => {
  vi.useFakeTimers();
  expect(await readBody(requestWithBody("a"), 1_000)).toEqual(Buffer.from("a"));
  expect(vi.getTimerCount()).toBe(0);
});
