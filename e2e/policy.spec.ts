import { gallery } from "#lib/content/gallery.ts";
import { loadedWhenIdle } from "#testing/come-to-life.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillForm } from "#testing/form.ts";
import {
  expectHydrated,
  expectNoViolation,
  LOST,
  PAGES,
  POLICY,
  violationsOf,
  watchViolations,
} from "#testing/policy-of-pages.ts";
import { expect, test } from "#testing/test.ts";

/** Sets a mark that a test can look for. */
const INJECTED = "<script>document.documentElement.dataset.injected = 'yes'</script>";

test.beforeEach(({ page }) => watchViolations(page));

for (const path of [...PAGES, LOST]) {
  test(`${path} carries its policy, keeps it, comes to life, and runs no script that was put into it`, async ({
    page,
    site,
    quiet,
  }) => {
    if (path === LOST) quiet(/404/);
    const answer = await page.goto(site.url + path);
    await loadedWhenIdle(page);
    const headers = answer?.headers() ?? {};
    const policy = headers[POLICY] ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')+;/);
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(headers["permissions-policy"]).toContain("camera=()");
    await expectHydrated(page);
    await expectNoViolation(page);
    // Asked for after the first paint, each once: React found those that were there.
    expect(await answer?.text()).not.toMatch(/<script src="[^"]+" async/);
    const sources = await page
      .locator("script[async][src]")
      .evaluateAll((scripts) => scripts.map((script) => script.getAttribute("src")));
    expect(sources.length).toBeGreaterThan(3);
    expect(new Set(sources).size).toBe(sources.length);

    quiet(/Content Security Policy|404/);
    await page.route(site.url + path, async (route) => {
      const response = await route.fetch();
      const body = ["</head>", "</body>"].reduce(
        (text, end) => text.replace(end, INJECTED + end),
        await response.text(),
      );
      expect(body.split(INJECTED)).toHaveLength(3);
      await route.fulfill({ response, body });
    });
    await page.goto(site.url + path);
    await eventually(() => violationsOf(page)?.length).toBe(2);
    await expect(page.locator("html")).not.toHaveAttribute("data-injected");
    await expectHydrated(page);
  });
}

test("the mark of an injected script is seen where no policy forbids it", async ({
  page,
  site,
}) => {
  await page.route(site.url, async (route) => {
    const real = await route.fetch();
    const { [POLICY]: _, ...headers } = real.headers();
    const body = (await real.text()).replace("</head>", `${INJECTED}</head>`);
    await route.fulfill({ response: real, headers, body });
  });
  await page.goto(site.url);
  await expect(page.locator("html")).toHaveAttribute("data-injected", "yes");
});

test("a hash of another script does not let this one run", async ({ page, site, quiet }) => {
  quiet(/Content Security Policy/);
  await page.route(site.url, async (route) => {
    const real = await route.fetch();
    // The page's own script is another than when it was hashed.
    const body = (await real.text()).replace(
      "let started;",
      "let started;document.documentElement.dataset.injected='yes';",
    );
    expect(body).toContain("dataset.injected");
    await route.fulfill({ response: real, body });
  });
  // Without that script the page does not come to life, for which `page.goto` would wait.
  await page.mainFrame().goto(site.url);
  await eventually(() => violationsOf(page)?.join()).toContain("script-src");
  await expect(page.locator("html")).not.toHaveAttribute("data-injected");
});

test("menu, dialog and lightbox keep the policy", async ({ page, site }) => {
  await page.goto(site.url);
  await page.getByRole("link", { name: "신청하기", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "연수 신청서" });
  await dialog.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(dialog.getByLabel("이름")).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Escape");

  await page.goto(`${site.url}/gallery`);
  await page.getByRole("link", { name: gallery[0]?.title ?? "" }).click();
  const lightbox = page.getByRole("dialog");
  await expect(lightbox).toContainText(`1 / ${gallery.length}`);
  await page.keyboard.press("ArrowRight");
  await expect(lightbox).toContainText(`2 / ${gallery.length}`);
  await expectNoViolation(page);
});

test("a form that is received, kept offline or refused keeps the policy", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const main = page.locator("main");
  const submit = main.getByRole("button", { name: "신청서 보내기" });
  for (const [answer, says] of [
    ["received", "신청이 접수되었습니다"],
    ["offline", "보관했습니다"],
    ["refused", "오류가 발생했습니다"],
  ] as const) {
    await page.goto(`${site.url}/contact`);
    if (answer === "offline") await page.route(API, (route) => route.abort());
    if (answer === "refused") {
      await page.route(API, (route) =>
        route.fulfill({ status: 403, json: { success: false, message: "아니요" } }),
      );
    }
    await fillForm(main, { name: "정책여주" });
    await submit.click();
    await expect(main.getByText(says).first()).toBeVisible();
    await loadedWhenIdle(page);
    if (answer === "refused")
      await expect(main.getByRole("alert").filter({ hasText: says })).toBeFocused();
    await page.unroute(API);
  }
  await expectNoViolation(page);
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
  await expectNoViolation(page);
});

test("handlers and files carry a policy too", async ({ site }) => {
  for (const path of ["/api/health", "/art/hero.svg", "/robots.txt", "/contact/", "/_next/image"]) {
    const answer = await fetch(site.url + path, { redirect: "manual" });
    expect(answer.headers.get(POLICY) ?? "", path).not.toBe("");
    expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});
