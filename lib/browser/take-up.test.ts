import { describe, expect, it } from "vitest";
import { writtenAheadIn } from "#lib/browser/take-up.ts";

const press = {
  idempotencyKey: "key",
  form: "contact",
  values: { name: "김여주", other: "x" },
  keptAt: 5,
};

describe("writtenAheadIn", () => {
  it("reads back a press, and only the form's own fields", () => {
    const found = writtenAheadIn(JSON.stringify(press));
    expect(found).toMatchObject({ idempotencyKey: "key", form: "contact", keptAt: 5 });
    expect(found?.values).toMatchObject({ name: "김여주", message: "" });
    expect(found?.values).not.toHaveProperty("other");
    expect(found).not.toHaveProperty("replaces");
  });

  it("knows which kept application it corrects, so that not both are sent", () => {
    expect(writtenAheadIn(JSON.stringify({ ...press, replaces: "old" }))?.replaces).toBe("old");
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    JSON.stringify({ ...press, form: "other" }),
    JSON.stringify({ ...press, idempotencyKey: 1 }),
    JSON.stringify({ ...press, keptAt: "5" }),
    JSON.stringify({ ...press, values: null }),
  ])("takes nothing from %j", (text) => {
    expect(writtenAheadIn(text)).toBeUndefined();
  });
});
