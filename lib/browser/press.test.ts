import { afterEach, describe, expect, it, vi } from "vitest";
import { release } from "#lib/browser/hold.ts";
import { keyFor, press, unsent } from "#lib/browser/press.ts";
import { filledIn as values } from "#testing/fixtures/browser-application.ts";

const attempt = { idempotencyKey: "first", values, refused: false, kept: true };

describe("keyFor", () => {
  it("makes a new key for a first press", () => {
    expect(keyFor(values, undefined)).not.toBe(keyFor(values, undefined));
  });

  it("keeps the key while nothing was changed, so that a lost answer is found again", () => {
    expect(keyFor({ ...values }, attempt)).toBe("first");
  });

  it("makes a new key once something was changed", () => {
    expect(keyFor({ ...values, message: "주차" }, attempt)).not.toBe("first");
  });

  it("makes a new key after a refusal: the server may know the old one with other content", () => {
    expect(keyFor(values, { ...attempt, refused: true })).not.toBe("first");
  });
});

/** What a page's storage does, without a browser. */
function storage(
  refuses = false,
): Pick<Storage, "getItem" | "setItem" | "removeItem"> & Map<string, string> {
  const kept = new Map<string, string>();
  return Object.assign(kept, {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (refuses) throw new DOMException("full", "QuotaExceededError");
      kept.set(name, text);
    },
    removeItem: (name: string) => void kept.delete(name),
  });
}

describe("press", () => {
  afterEach(() => vi.unstubAllGlobals());

  function pressed(local: ReturnType<typeof storage>, previous?: typeof attempt) {
    const session = storage();
    vi.stubGlobal("localStorage", local);
    vi.stubGlobal("sessionStorage", session);
    const made = press("contact", values, previous);
    release(made.entry.idempotencyKey);
    return { made, session };
  }

  it("is on the device when it returns, and no draft beside it", () => {
    const local = storage();
    const { made, session } = pressed(local);
    expect(made.writtenAhead).toBe(true);
    expect([...local.values()].join()).toContain(values.phone);
    expect(session.size).toBe(0);
    expect(unsent(made).result.kind).toBe("kept");
  });

  it("stays a draft, with its key, where the browser takes nothing", () => {
    const { made, session } = pressed(storage(true));
    expect(made.writtenAhead).toBe(false);
    expect(session.get("draft-contact")).toContain(made.entry.idempotencyKey);
    expect(unsent(made).result.kind).toBe("unkept");
  });

  it("takes the place of the press that it corrects", () => {
    const local = storage();
    const { made: first } = pressed(local);
    const corrected = { ...attempt, idempotencyKey: first.entry.idempotencyKey, refused: true };
    const { made } = pressed(local, corrected);
    expect(local.size).toBe(1);
    expect([...local.values()].join()).toContain(made.entry.idempotencyKey);
    expect(made.replaced).toBe(first.entry.idempotencyKey);
  });
});
