/** What a browser refuses would be an error in its console, which fails any test. */
import { workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { expectHydrated, LOST, PAGES, POLICY } from "#testing/pages.ts";
import { expect, test } from "#testing/test.ts";

const OF_A_PAGE = /^default-src 'self'; script-src 'self'( 'sha256-[\w+/]{43}=')+;/;

/** Sets a mark that a test can look for. */
const INJECTED = "<script>document.documentElement.dataset.injected = 'yes'</script>";

test("a page comes to life under its policy, and runs no script that was put into it", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/Content Security Policy|404/);
  const refusals: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refusals.push(page.url());
  });
  for (const path of [...PAGES, LOST]) {
    const address = site.url + path;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const body = text.replace("</head>", `${INJECTED}</head>`);
      expect(body).not.toBe(text);
      await route.fulfill({ response, body });
    });
    const answer = await page.goto(address);
    expect(answer?.headers()).toMatchObject({
      [POLICY]: expect.stringMatching(OF_A_PAGE),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    await expectHydrated(page);
    await eventually(() => refusals, path).toHaveLength(1);
    refusals.length = 0;
    await expect(page.locator("html")).not.toHaveAttribute("data-injected");
  }
});

test("pages that Next renders for one visitor run under a nonce", async ({ page, site }) => {
  const form = { age: "7" };
  await page.request.post(`${site.url}/api/mail/training-application`, { form, maxRedirects: 0 });
  const address = `${site.url}/contact/result`;
  const answers = [await page.goto(address), await page.goto(address)];
  const nonces = answers.map(
    (answer) => /'nonce-([^']+)'/.exec(answer?.headers()[POLICY] ?? "")?.[1],
  );
  expect(new Set(nonces).size).toBe(2);
  expect(nonces).not.toContain(undefined);
  await expectHydrated(page);
});

test("handlers and files carry a policy too", async ({ site }) => {
  for (const path of ["/api/health", "/art/hero.svg", "/robots.txt", "/contact/", "/_next/image"]) {
    const { headers } = await fetch(site.url + path, { redirect: "manual" });
    expect(headers.get(POLICY) ?? "", path).not.toBe("");
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});

test.describe("with the server gone", () => {
  test.use({ serviceWorkers: "allow" });

  test("a page from the service worker's cache comes to life under its policy", async ({
    page,
    site,
    quiet,
  }) => {
    quiet(/Failed to load resource|ERR_CONNECTION_REFUSED/);
    try {
      await page.goto(site.url);
      await workerIsReady(page);
      await site.end("SIGKILL");
      for (const path of PAGES) {
        const answer = await page.goto(site.url + path);
        expect(answer?.fromServiceWorker(), path).toBe(true);
        expect(answer?.headers()[POLICY]).toMatch(OF_A_PAGE);
        await expectHydrated(page);
      }
    } finally {
      await site.startAgain();
    }
  });
});
