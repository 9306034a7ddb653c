import { beforeEach, expect, it, vi } from "vitest";
import { whenSentTexts } from "#lib/content/application-result.ts";

// Each test needs a new module, because the module stores the browser's answer.
let background: typeof import("#lib/browser/background.ts");
beforeEach(async () => {
  vi.resetModules();
  background = await import("#lib/browser/background.ts");
});

const createNavigator = (getRegistration: () => Promise<unknown>) => ({
  serviceWorker: { getRegistration },
});

it("a page registers the tag of its applications for Background Sync", async () => {
  const register = vi.fn(async () => undefined);
  const navigator = createNavigator(async () => ({ sync: { register } }));
  vi.stubGlobal("navigator", navigator);
  await background.requestBackgroundSync();
  expect(register).toHaveBeenCalledWith("training-applications");
  expect(background.whenSentText()).toBe(whenSentTexts.background);
});

const refuse = () => Promise.reject(new Error("denied"));
it.each([
  ["has no service worker", "visit", createNavigator(async () => undefined)],
  ["has no Background Sync", "visit", createNavigator(async () => ({}))],
  ["forbids sync", "visit", createNavigator(async () => ({ sync: { register: refuse } }))],
  ["forbids service workers", "visit", createNavigator(refuse)],
  ["refuses files", "privateWindow", { storage: { getDirectory: refuse } }],
  ["stores files", "visit", { storage: { getDirectory: async () => ({}) } }],
  ["has no storage for files", "visit", { storage: {} }],
  ["has no storage", "visit", {}],
] as const)("a browser that %s gets the sentence for: %s", async (_, expected, navigator) => {
  vi.stubGlobal("navigator", navigator);
  await background.requestBackgroundSync();
  await background.detectPrivateWindow();
  expect(background.whenSentText()).toBe(whenSentTexts[expected]);
});
