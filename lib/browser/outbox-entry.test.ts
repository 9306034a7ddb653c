import { describe, expect, it } from "vitest";
import { isExpired, isPast } from "#lib/browser/outbox-entry.ts";

const DAY_MS = 86_400_000;

describe("the outbox's times", () => {
  it("keeps an application for seven days", () => {
    expect(isExpired({ keptAt: 0 }, 7 * DAY_MS - 1)).toBe(false);
    expect(isExpired({ keptAt: 0 }, 7 * DAY_MS)).toBe(true);
  });

  it("keeps it when the clock was set back", () => {
    expect(isExpired({ keptAt: DAY_MS }, 0)).toBe(false);
  });

  it("shows how it ended for a day", () => {
    expect(isPast({ endedAt: 0 }, DAY_MS - 1)).toBe(false);
    expect(isPast({ endedAt: 0 }, DAY_MS)).toBe(true);
  });
});
