import { expect, it, vi } from "vitest";
import { isLocked, refreshLocks, requestLock } from "#lib/browser/locks.ts";

/** Lets another page hold a lock until the returned function is called. */
async function lockElsewhere(name: string): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = navigator.locks.request(name, () => {
    held.resolve();
    return released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await done;
  };
}

it("a page sees the lock of another page after refreshLocks", async () => {
  const release = await lockElsewhere("read");
  expect(isLocked("read")).toBe(false);
  await refreshLocks();
  expect([isLocked("read"), isLocked("none")]).toEqual([true, false]);
  await release();
  await refreshLocks();
  expect(isLocked("read")).toBe(false);
});

it("a lock request is granted when the holder releases the lock", async () => {
  const first = requestLock("turns");
  const second = requestLock("turns");
  let isGranted = false;
  void second.granted.then(() => {
    isGranted = true;
  });
  await first.granted;
  await refreshLocks();
  expect(isGranted).toBe(false);
  first.release();
  expect(await second.granted).toBe(true);
  second.release();
});

it("a request for a lock that stays taken resolves to false at its time limit", async () => {
  const release = await lockElsewhere("limited");
  const request = requestLock("limited", 1);
  expect(await request.granted).toBe(false);
  await release();
  await refreshLocks();
  expect(isLocked("limited")).toBe(false);
});

it("a page that is left releases its locks", async () => {
  const listen = vi.fn();
  vi.stubGlobal("addEventListener", listen);
  vi.resetModules();
  const page = await import("#lib/browser/locks.ts");
  const locks = ["sender", "submission/1"].map((name) => page.requestLock(name));
  await Promise.all(locks.map(({ granted }) => granted));
  for (const [event, listener] of listen.mock.calls) if (event === "pagehide") listener();
  for (const { name } of locks) {
    expect(page.isLocked(name)).toBe(false);
    const next = requestLock(name, 1_000);
    expect(await next.granted).toBe(true);
    next.release();
  }
});

const denied = () => Promise.reject(new DOMException("denied", "SecurityError"));

it.each([
  ["without Web Locks", {}],
  ["whose Web Locks are forbidden", { locks: { request: denied, query: denied } }],
])("a page %s is granted its own locks", async (_, navigator) => {
  vi.stubGlobal("navigator", navigator);
  const lock = requestLock("alone");
  expect(await lock.granted).toBe(true);
  await refreshLocks();
  expect([isLocked("alone"), isLocked("none")]).toEqual([true, false]);
  lock.release();
});

it("a lock counts as granted if the browser never says who holds it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const request = () => Promise.reject(new DOMException("", "TimeoutError"));
  vi.stubGlobal("navigator", { locks: { request, query: () => new Promise(() => undefined) } });
  const { granted } = requestLock("silent", 1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await granted).toBe(true);
});
