/** What the pages' policy is, and whether a page kept it. */
import { expect, type Page } from "@playwright/test";
import { pagePaths } from "#lib/content/pages.ts";

export const PAGES = pagePaths;
export const LOST = "/no-such-road";
export const POLICY = "content-security-policy";

const violations = new WeakMap<Page, string[]>();

/** Notes from now on what the browser refuses on the page because of its policy. */
export async function watchViolations(page: Page): Promise<void> {
  const found: string[] = [];
  violations.set(page, found);
  await page.exposeFunction("reportViolation", (violation: string) => found.push(violation));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report: unknown = Reflect.get(globalThis, "reportViolation");
      if (typeof report === "function") {
        report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
      }
    });
  });
}

export const violationsOf = (page: Page) => violations.get(page);

export const expectNoViolation = (page: Page) => expect(violations.get(page)).toEqual([]);

/** React has taken over what the server sent. */
export async function expectHydrated(page: Page) {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("#site-menu") ?? {}).some((key) =>
      key.startsWith("__react"),
    ),
  );
}
