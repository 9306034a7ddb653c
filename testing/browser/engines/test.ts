import { findEngineStarter } from "#testing/browser/engines/engine-here.ts";
import type { EngineName, RunningBrowser, Tab } from "#testing/browser/engines/tab.ts";
import { expect, testWithSite } from "#testing/browser/test.ts";

export { expect };

export interface EngineFixtures {
  engineName: EngineName;
  engine: RunningBrowser;
}

/** The test for every engine. `tab` is a page in the engine of the current Playwright project. */
export const test = testWithSite.extend<{ tab: Tab }, EngineFixtures>({
  engineName: ["chromium", { option: true, scope: "worker" }],
  engine: [
    async ({ engineName }, use) => {
      const engine = await findEngineStarter(engineName)?.();
      if (!engine) throw new Error(`${engineName} is not on this machine`);
      await use(engine);
      await engine.stop();
    },
    { scope: "worker" },
  ],
  tab: async ({ engine, errors }, use, info) => {
    const tab = await engine.newTab();
    await use(tab);
    if (info.status !== info.expectedStatus)
      await info.attach("page", { body: await tab.screenshot(), contentType: "image/png" });
    errors.push(...tab.errors);
    await tab.close();
  },
});

export const PHONE_WINDOW = { width: 390, height: 844 };
export const DESKTOP_WINDOW = { width: 1280, height: 844 };
export const SMALL_PHONE_WINDOW = { width: 320, height: 568 };
export const LANDSCAPE_WINDOW = { width: 844, height: 390 };

export const SERVER_DOWN_MESSAGE_PATTERN =
  /Failed to load|downloadable font|Could not connect|Cannot load|NetworkError|ServiceWorker|respondWith|connection/i;
