import { expect, test, vi } from "vitest";
import { readBody } from "#lib/intake/body.ts";

test("a body that has been read leaves no timer behind", async () => {
  vi.useFakeTimers();
  const request = new Request("http://localhost/", { method: "POST", body: "a" });
  expect(await readBody(request, 1_000)).toEqual(Buffer.from("a"));
  expect(vi.getTimerCount()).toBe(0);
});
