import { beforeEach, expect, it, vi } from "vitest";
import { whenSentTexts } from "#lib/content/application-result.ts";

// Each test needs a new module, because the module stores the browser's answer.
let background: typeof import("#lib/browser/background.ts");
beforeEach(async () => {
  vi.resetModules();
  background = await import("#lib/browser/background.ts");
});

const stubWorker = (getRegistration: () => Promise<unknown>) =>
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration } });

it("a page registers the tag of its applications for Background Sync", async () => {
  const register = vi.fn(async () => undefined);
  stubWorker(async () => ({ sync: { register } }));
  await background.requestBackgroundSync();
  expect(register).toHaveBeenCalledWith("training-applications");
  expect(background.whenSentText()).toBe(whenSentTexts.background);
});

it.each([
  ["has no service worker", async () => undefined],
  ["has no Background Sync", async () => ({})],
  ["forbids sync", async () => ({ sync: { register: () => Promise.reject(new Error("denied")) } })],
  ["forbids service workers", () => Promise.reject(new Error("denied"))],
])("a page in a browser that %s promises to send at the next visit", async (_, getRegistration) => {
  stubWorker(getRegistration);
  await background.requestBackgroundSync();
  expect(background.whenSentText()).toBe(whenSentTexts.visit);
});

it.each([
  ["refuses files", "privateWindow", { getDirectory: () => Promise.reject(new Error("no")) }],
  ["stores files", "visit", { getDirectory: async () => ({}) }],
  ["has no storage for files", "visit", {}],
  ["has no storage", "visit", undefined],
] as const)("a page in a browser that %s shows whenSentTexts.%s", async (_, expected, storage) => {
  vi.stubGlobal("navigator", { storage });
  await background.detectPrivateWindow();
  expect(background.whenSentText()).toBe(whenSentTexts[expected]);
});
