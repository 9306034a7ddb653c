/** A blocked resource would be an error in the console, which fails any test. */

import { waitForServiceWorker } from "#testing/browser/device-storage.ts";
import { expect, test } from "#testing/browser/test.ts";
import { ROUTES } from "#testing/site/client.ts";
import { CACHED_PAGE_POLICY, expectHydrated, PAGES, POLICY_HEADER } from "#testing/site/pages.ts";

test.use({ serviceWorkers: "allow" });

test("pages that Next renders per visitor have a nonce in their policy", async ({ page, site }) => {
  const form = { age: "7" };
  await page.request.post(site.url + ROUTES.mail, { form, maxRedirects: 0 });
  const address = `${site.url}/contact/result`;
  const answers = [await page.goto(address), await page.goto(address)];
  const nonces = answers.map(
    (answer) => /'nonce-([^']+)'/.exec(answer?.headers()[POLICY_HEADER] ?? "")?.[1],
  );
  expect(new Set(nonces).size).toBe(2);
  expect(nonces).not.toContain(undefined);
  await expectHydrated(page);
  for (const path of ["/api/health", "/art/hero.svg", "/robots.txt", "/contact/", "/_next/image"]) {
    const { headers } = await fetch(site.url + path, { redirect: "manual" });
    expect(headers.get(POLICY_HEADER) ?? "", path).not.toBe("");
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});

test("a page from the service worker's cache hydrates under its policy", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/Failed to load resource|ERR_CONNECTION_REFUSED/);
  try {
    await page.goto(site.url);
    await waitForServiceWorker(page);
    await site.end("SIGKILL");
    for (const path of PAGES) {
      const answer = await page.goto(site.url + path);
      expect(answer?.fromServiceWorker(), path).toBe(true);
      expect(answer?.headers()[POLICY_HEADER]).toMatch(CACHED_PAGE_POLICY);
      await expectHydrated(page);
    }
  } finally {
    await site.startAgain();
  }
});
