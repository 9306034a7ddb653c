import { describe, expect, it } from "vitest";
import { entryIn, isClockWrong, isExpired, isPast } from "#lib/browser/outbox-entry.ts";

const entry = { idempotencyKey: "key", form: "contact", values: {}, keptAt: 5 } as const;
const NOW = Date.UTC(2026, 11, 1);
const DAY_MS = 86_400_000;

describe("the outbox's times", () => {
  it("keeps an application for seven days", () => {
    expect(isExpired({ keptAt: NOW }, NOW + 7 * DAY_MS - 1)).toBe(false);
    expect(isExpired({ keptAt: NOW }, NOW + 7 * DAY_MS)).toBe(true);
  });

  it.each([
    ["kept in 1970", 0],
    ["kept in 2020", Date.UTC(2020, 0, 1)],
    ["kept next year", Date.UTC(2027, 11, 1)],
  ])("believes none where the clock was wrong: %s", (_case, keptAt) => {
    expect(isClockWrong({ keptAt }, NOW)).toBe(true);
    expect(isExpired({ keptAt }, NOW)).toBe(false);
  });

  it("shows how it ended for a day", () => {
    expect(isPast({ endedAt: 0 }, DAY_MS - 1)).toBe(false);
    expect(isPast({ endedAt: 0 }, DAY_MS)).toBe(true);
  });
});

describe("entryIn", () => {
  it("reads back an entry, and only the form's own fields", () => {
    const text = JSON.stringify({ ...entry, values: { name: "김여주", other: "x" } });
    const found = entryIn(text);
    expect(found).toMatchObject({ idempotencyKey: "key", form: "contact", keptAt: 5 });
    expect(found?.values).toMatchObject({ name: "김여주", message: "" });
    expect(found?.values).not.toHaveProperty("other");
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    JSON.stringify({ ...entry, form: "other" }),
    JSON.stringify({ ...entry, idempotencyKey: 1 }),
    JSON.stringify({ ...entry, keptAt: "5" }),
    JSON.stringify({ ...entry, values: null }),
  ])("takes nothing from %j", (text) => {
    expect(entryIn(text)).toBeUndefined();
  });
});
