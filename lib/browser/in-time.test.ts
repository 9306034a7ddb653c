import { describe, expect, it } from "vitest";
import { inTime } from "#lib/browser/in-time.ts";

describe("inTime", () => {
  it("gives the answer, or the failure, that comes", async () => {
    await expect(inTime(Promise.resolve("answer"), 1_000)).resolves.toBe("answer");
    await expect(inTime(Promise.reject(new Error("no")), 1_000)).rejects.toThrow("no");
  });

  it("does not wait for one that never comes", async () => {
    await expect(inTime(new Promise(() => undefined), 1)).rejects.toThrow("within 1 ms");
  });
});
