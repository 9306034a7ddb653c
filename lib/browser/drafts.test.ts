import { beforeEach, expect, it, vi } from "vitest";
import { Drafts } from "#lib/browser/drafts.ts";
import { requestLock } from "#lib/browser/locks.ts";
import { DRAFT_HOURS } from "#lib/content/on-device.ts";
import { FakeLocks } from "#testing/device/locks.ts";
import { filledIn } from "#testing/fixtures/browser-application.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 11, 1);

const locks = new FakeLocks<Drafts>();

const withStorage = (items = new Map<string, string>()) => {
  const drafts: Drafts = new Drafts({
    storage: () => ({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, value),
      removeItem: (key) => items.delete(key),
    }),
    requestLock: (name, waitMs) => locks.request(name, drafts, waitMs),
  });
  return drafts;
};
const numbered = (index: number) => ({ ...filledIn, name: `김여주${index}` });

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));

// A draft has a negative age after the clock was set back.
it.each([
  [0, true],
  [DRAFT_HOURS - 0.1, true],
  [DRAFT_HOURS, false],
  [0.1 - DRAFT_HOURS, true],
  [-DRAFT_HOURS, false],
])("a draft exists %d hours after it was saved: %s", (hours, isThere) => {
  const drafts = withStorage();
  drafts.save(filledIn);
  vi.setSystemTime(START + hours * HOUR_MS);
  expect(drafts.exist()).toBe(isThere);
  expect(drafts.read("draft")?.values).toEqual(isThere ? filledIn : undefined);
});

it("a form whose fields are emptied loses its draft", () => {
  const items = new Map<string, string>();
  const drafts = withStorage(items);
  drafts.save(filledIn);
  drafts.save({ name: "" });
  expect([...items.keys()]).toEqual([]);
});

it("the last ten submissions are recognised by their values", () => {
  const drafts = withStorage();
  for (let index = 0; index < 11; index += 1) drafts.rememberSubmitted(numbered(index));
  const known = Array.from({ length: 12 }, (_, index) => drafts.wasSubmitted(numbered(index)));
  expect(known).toEqual([false, ...Array.from({ length: 10 }, () => true), false]);
  expect(drafts.wasSubmitted({})).toBe(false);
});

it("a duplicated tab shares neither id nor drafts with its original", async () => {
  const items = new Map<string, string>();
  const original = withStorage(items);
  original.save(filledIn);
  original.save(filledIn, "rejected-id");
  expect(await original.claim()).toBe(true);
  const copy = new Map(items);
  const duplicate = withStorage(copy);
  expect(duplicate.tabId).toBe(original.tabId);
  expect(await duplicate.claim()).toBe(false);
  expect(duplicate.tabId).not.toBe(original.tabId);
  expect([original.exist(), duplicate.exist()]).toEqual([true, false]);
  expect(withStorage(copy).tabId).toBe(duplicate.tabId);
});

it("the id of a tab is locked only while the tab has a draft", async () => {
  const drafts = withStorage();
  const isHeld = () => locks.isHeld(`tab/${drafts.tabId}`);
  await drafts.claim();
  expect(isHeld()).toBe(false);
  drafts.save(filledIn);
  expect(isHeld()).toBe(true);
  drafts.save({});
  expect(isHeld()).toBe(false);
  drafts.save(filledIn, "rejected-id");
  expect(isHeld()).toBe(true);
  drafts.remove("correction");
  expect(isHeld()).toBe(false);
});

it("a tab locks its id again when Back restores its page", async () => {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  const drafts = withStorage();
  drafts.save(filledIn);
  await drafts.claim();
  // The browser releases the locks of a page that is left.
  locks.releaseAll(drafts);
  for (const persisted of [false, true]) {
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
    expect(locks.isHeld(`tab/${drafts.tabId}`)).toBe(persisted);
  }
});

it("a tab has one id and no draft when the browser blocks its storage", () => {
  const drafts = new Drafts({
    storage: () => {
      throw new DOMException("denied", "SecurityError");
    },
    requestLock,
  });
  drafts.save(filledIn);
  drafts.rememberSubmitted(filledIn);
  expect([drafts.exist(), drafts.wasSubmitted(filledIn)]).toEqual([false, false]);
  expect(drafts.tabId).toBe(drafts.tabId);
});
