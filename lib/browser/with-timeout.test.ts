import { describe, expect, it } from "vitest";
import { withTimeout } from "#lib/browser/with-timeout.ts";

describe("withTimeout", () => {
  it("gives the answer, or the failure, that comes", async () => {
    await expect(withTimeout(Promise.resolve("answer"), 1_000)).resolves.toBe("answer");
    await expect(withTimeout(Promise.reject(new Error("no")), 1_000)).rejects.toThrow("no");
  });

  it("does not wait for one that never comes", async () => {
    await expect(withTimeout(new Promise(() => undefined), 1)).rejects.toThrow("within 1 ms");
  });
});
