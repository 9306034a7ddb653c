import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { list, put, remove } from "#lib/browser/outbox.ts";
import { filledIn as values } from "#testing/fixtures/browser-application.ts";
import { localStorageStub } from "#testing/fixtures/local-storage.ts";

const NOW = Date.UTC(2026, 11, 1);
const entry = { idempotencyKey: "key", form: "contact", values, keptAt: NOW } as const;

describe("the outbox in a browser without a database", () => {
  beforeEach(() => vi.stubGlobal("localStorage", localStorageStub()));
  afterEach(() => vi.unstubAllGlobals());

  it("has an application as soon as `put` returns, and knows that the disk may not have it", async () => {
    const { written, durable } = put(entry);
    expect(written).toBe(true);
    expect(Object.keys(localStorage)).toHaveLength(1);
    expect(await durable).toBe(false);
    expect(await list()).toEqual({ entries: [entry], endings: [], complete: true });
  });

  it("has one version of it: the last", async () => {
    await put(entry).durable;
    const corrected = { ...entry, values: { ...values, phone: "010-1111-2222" } };
    await put(corrected).durable;
    expect((await list()).entries).toEqual([corrected]);
  });

  it("is empty once it is removed", async () => {
    await put(entry).durable;
    await remove("key");
    expect((await list()).entries).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it("says so where the browser takes nothing", async () => {
    vi.stubGlobal("localStorage", localStorageStub(true));
    const { written, durable } = put(entry);
    expect(written).toBe(false);
    expect(await durable).toBe(false);
  });

  it("throws away what another program left under its names", async () => {
    localStorage.setItem("application/other", "{");
    localStorage.setItem("other", "{");
    expect((await list()).entries).toEqual([]);
    expect(Object.keys(localStorage)).toEqual(["other"]);
  });
});
