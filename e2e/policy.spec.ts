/** A resource that the policy blocks makes the console report an error, and the fixture fails the test. */

import { expect, test } from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";
import { ROUTES } from "#testing/site/client.ts";
import { POLICY_HEADER } from "#testing/site/pages.ts";

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
  await waitForHydration(page);
  for (const path of ["/api/health", "/art/hero.svg", "/robots.txt", "/contact/", "/_next/image"]) {
    const { headers } = await fetch(site.url + path, { redirect: "manual" });
    expect(headers.get(POLICY_HEADER) ?? "", path).not.toBe("");
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});
