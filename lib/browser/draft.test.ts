import { describe, expect, it } from "vitest";
import { draftIn } from "#lib/browser/draft.ts";

const DAY_MS = 86_400_000;
const EMPTY = { phone: "", gender: "", age: "", region: "", preferredDate: "", dayType: "" };

describe("draftIn", () => {
  it("reads back what was kept, and only the form's own fields", () => {
    const draft = draftIn({ savedAt: 0, values: { name: "김여주", other: "x" } }, 1)?.values;
    expect(draft).toMatchObject({ ...EMPTY, name: "김여주" });
    expect(draft).not.toHaveProperty("other");
  });

  it("is over after seven days, like the outbox's entries", () => {
    const stored = { savedAt: 0, values: { name: "김여주" } };
    expect(draftIn(stored, 7 * DAY_MS - 1)).toBeDefined();
    expect(draftIn(stored, 7 * DAY_MS)).toBeUndefined();
  });

  it.each([null, 1, "text", {}, { savedAt: 0 }, { savedAt: 0, values: null }, { values: {} }])(
    "takes nothing from %j",
    (stored) => {
      expect(draftIn(stored, 1)).toBeUndefined();
    },
  );
});
