import type { Page } from "@playwright/test";
import { pageIds, seoPages } from "#lib/content/seo.ts";

export const PAGES = pageIds.map((id): string => seoPages[id].path);
export const LOST = "/no-such-road";
export const POLICY = "content-security-policy";

/** React has taken over what the server sent. */
export async function expectHydrated(page: Page) {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("#site-menu") ?? {}).some((key) =>
      key.startsWith("__react"),
    ),
  );
}
