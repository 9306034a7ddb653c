import { expect, it, vi } from "vitest";
import { requestBackgroundSync } from "#lib/browser/background-sync.ts";

const refuse = () => Promise.reject(new Error("denied"));
it.each([
  ["has no service worker", { getRegistration: async () => undefined }],
  ["has no Background Sync", { getRegistration: async () => ({}) }],
  ["forbids sync", { getRegistration: async () => ({ sync: { register: refuse } }) }],
  ["forbids service workers", { getRegistration: refuse }],
  ["has no container for service workers", undefined],
])("a request for Background Sync causes no error if the browser %s", async (_, serviceWorker) => {
  vi.stubGlobal("navigator", { serviceWorker });
  expect(await requestBackgroundSync()).toBeUndefined();
});
