import { describe, expect, it } from "vitest";
import { backoffMs } from "#lib/browser/backoff.ts";

describe("backoffMs", () => {
  it("grows from five seconds to five minutes and stays there", () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 100].map((failures) => backoffMs(failures, 0, () => 0));
    expect(waits).toEqual([5e3, 15e3, 30e3, 60e3, 120e3, 300e3, 300e3, 300e3]);
  });

  it("waits at least as long as the server asks", () => {
    expect(backoffMs(0, 60_000, () => 0)).toBe(60_000);
    expect(backoffMs(5, 1_000, () => 0)).toBe(300_000);
  });

  it("spreads the waits by up to a fifth", () => {
    expect(backoffMs(0, 0, () => 1)).toBe(6_000);
  });
});
