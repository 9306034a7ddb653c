import { afterEach, describe, expect, it, vi } from "vitest";
import { isLockedHere, lock, unlock, whenFree } from "#lib/browser/application-lock.ts";

/** Another tab's lock, in the same browser. */
async function lockElsewhere(key: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  const granted = Promise.withResolvers<void>();
  void navigator.locks.request(`training-application/${key}`, () => {
    granted.resolve();
    return released.promise;
  });
  await granted.promise;
  return released.resolve;
}

async function runs(key: string, waitMs?: number): Promise<boolean> {
  const work = vi.fn(async () => undefined);
  const free = await whenFree(key, work, waitMs);
  expect(work).toHaveBeenCalledTimes(free ? 1 : 0);
  return free;
}

describe("the lock of an application", () => {
  afterEach(() => {
    unlock("one");
    vi.unstubAllGlobals();
  });

  it("keeps others from sending what a form is open on, and nothing else", async () => {
    lock("one");
    expect(isLockedHere("one")).toBe(true);
    expect(await runs("one")).toBe(false);
    expect(await runs("two")).toBe(true);
    unlock("one");
    expect(await runs("one", 1_000)).toBe(true);
  });

  it("is seen by other tabs and the service worker", async () => {
    const release = await lockElsewhere("one");
    expect(isLockedHere("one")).toBe(false);
    expect(await runs("one")).toBe(false);
    expect(await runs("one", 5)).toBe(false);
    const waiting = runs("one", 10_000);
    release();
    expect(await waiting).toBe(true);
  });

  it("passes a failure of the work on", async () => {
    const work = () => Promise.reject(new Error("no"));
    await expect(whenFree("one", work)).rejects.toThrow("no");
  });

  it("is the page's own over plain http, where there are no Web Locks", async () => {
    vi.stubGlobal("navigator", {});
    lock("one");
    expect(await runs("one")).toBe(false);
    unlock("one");
    expect(await runs("one")).toBe(true);
  });
});
