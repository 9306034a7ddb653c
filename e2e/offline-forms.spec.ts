import type { Page } from "@playwright/test";
import { loadedWhenIdle } from "#testing/come-to-life.ts";
import { keptOf } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillForm, openContact, SUMMARY, VALUES } from "#testing/form.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";
import { failedInDialog, keptOnContact } from "#testing/unsent-application.ts";

test.describe("a browser that cannot keep anything", () => {
  const FAILURES: [what: string, fail: (page: Page, origin: string) => Promise<unknown>][] = [
    [
      "refuses to open its database",
      (page) =>
        page.addInitScript(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException("no", "SecurityError");
          };
        }),
    ],
    [
      "never answers about its database",
      (page) =>
        page.addInitScript(() => {
          const nothing = EventTarget.prototype;
          IDBFactory.prototype.open = () => Object.create(nothing);
          IDBFactory.prototype.databases = () => new Promise(() => undefined);
        }),
    ],
    [
      "has no room left",
      async (page, origin) => {
        const client = await page.context().newCDPSession(page);
        await client.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
      },
    ],
  ];
  for (const [what, fail] of FAILURES) {
    test(`because it ${what}: the values stay, with a prefilled text message`, async ({
      page,
      site,
      smtp,
      quiet,
    }) => {
      quiet(/Failed to load resource/);
      await fail(page, site.url);
      const keys: (string | undefined)[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
      });
      await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
      const form = await openContact(page, site.url);
      const name = `막힌여주${what.length}`;
      await fillForm(form, { name });
      await form.locator("[type=submit]").click();
      const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
      await expect(box).toBeVisible();
      await expect(box).toBeFocused();
      await expect(box).toContainText("HTTP 503: Service Unavailable");
      await expect(box).toContainText("신청은 오프라인 모드(문자)로 처리됩니다.");
      await expect(box).toContainText("아래 문자를 보내셔야 신청됩니다.");
      const text = box.getByRole("link", { name: "문자로 신청하기" });
      const href = await text.getAttribute("href");
      expect(href).toMatch(/^sms:01000000000\?&body=/);
      expect(decodeURIComponent(href ?? "")).toContain(SUMMARY);
      await expect(box).toContainText(SUMMARY);
      await expect(box).toContainText("010-0000-0000");
      await expect(form.getByLabel("이름")).toHaveValue(name);
      await expect(form.getByLabel("남기실 말씀")).toHaveValue(VALUES.message);
      if (what === FAILURES[0]?.[0]) await expectAccessible(page);

      // The next press is the same application.
      await page.unroute(API);
      await form.locator("[type=submit]").click();
      await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
      expect(new Set(keys).size).toBe(1);
      const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes(name));
      await eventually(() => mine().length).toBe(1);
    });
  }
});

test("what the server refuses is no longer sent, and is opened for correction", async ({
  page,
  site,
  smtp,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "고친여주" });
  await loadedWhenIdle(page);
  // Not `setOffline`: a page that is left hears that it is online again, and what it sends then reaches the server.
  await page.route(API, (route) => route.abort());
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeVisible();
  let refusals = 0;
  await page.route(API, (route) => {
    refusals += 1;
    return route.fulfill({
      status: 400,
      json: {
        success: false,
        message: "다시",
        errors: { phone: ["전화번호를 다시 적어 주세요."] },
      },
    });
  });
  await page.goto(`${site.url}/gallery`);
  const notice = page.getByRole("alert").filter({ hasText: "접수되지 않았습니다" });
  await expect(notice).toContainText("전화번호: 전화번호를 다시 적어 주세요.");
  await expectAccessible(page);
  const heard = refusals;
  await page.reload();
  await expect(notice).toBeVisible();
  expect(refusals).toBe(heard);

  await page.unroute(API);
  await page.setViewportSize({ width: 320, height: 844 });
  await notice.getByRole("link", { name: "고쳐서 보내기" }).click();
  await expect(page).toHaveURL(`${site.url}/contact`);
  await expect(form.getByLabel("전화번호")).toBeFocused();
  // Its label stands below the bar, and stays there when the notice has gone.
  await expect(page.getByText("접수되지 않았습니다")).toHaveCount(0);
  const label = form.locator("label").filter({ hasText: "전화번호" });
  expect((await label.boundingBox())?.y).toBeGreaterThan(60);
  await expect(form.getByLabel("이름")).toHaveValue("고친여주");
  await expectAccessible(page);
  await form.getByLabel("전화번호").fill("010-8765-4321");
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("고친여주"));
  await eventually(() => mine().length).toBe(1);
  expect(mine()[0]?.parsed.text).toContain("010-8765-4321");
  await page.goto(`${site.url}/pricing`);
  await expect(page.getByText("접수되지 않았습니다")).toHaveCount(0);
  expect(await keptOf(page, ["고친여주", VALUES.phone])).toEqual([]);
});

test("with two refused ones each is opened by its own link", async ({ page, site, quiet }) => {
  quiet(/Failed to load resource/);
  const errors = { phone: ["전화번호를 다시 적어 주세요."] };
  for (const name of ["하나여주", "둘째여주"]) await keptOnContact(page, site.url, name);
  await page.unroute(API);
  await page.route(API, (route) =>
    route.fulfill({ status: 400, json: { success: false, message: "다시", errors } }),
  );
  await page.goto(`${site.url}/pricing`);
  const links = page.getByRole("alert").getByRole("link", { name: "고쳐서 보내기" });
  await expect(links).toHaveCount(2);
  await links.nth(1).click();
  await expect(page.locator("main").getByLabel("이름")).toHaveValue("둘째여주");
});

test("what a visitor changes in the dialog, another tab leaves alone until the dialog is closed", async ({
  page,
  site,
  context,
  twilio,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const { dialog } = await failedInDialog(page, site.url, "붙든여주");
  await dialog.getByLabel("전화번호").fill("010-");
  const other = await context.newPage();
  await other.goto(`${site.url}/pricing`);
  const status = other.getByRole("status").filter({ hasText: "아직 보내지 못한" });
  await status.getByRole("button", { name: "지금 보내기" }).click();
  await expect(status).toContainText("지금은 보내지 못했습니다.");
  const mine = () => twilio.messages.filter(({ body }) => body.includes("붙든여주"));
  expect(mine()).toHaveLength(0);
  await page.close({ runBeforeUnload: true });
  await other.reload();
  await eventually(() => mine().length).toBe(1);
});

test("지금 보내기 sends what is on the screen, also after the site's data were cleared", async ({
  page,
  site,
  smtp,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  await keptOnContact(page, site.url, "비운여주");
  await page.goto(`${site.url}/pricing`);
  const now = page.getByRole("button", { name: "지금 보내기" });
  await expect(now).toBeVisible();
  await page.unroute(API);
  // By hand, and pressed in the same turn: the browser's own way closes the database, and the page's timer sends too.
  await now.evaluate(async (button: HTMLButtonElement) => {
    const opening = indexedDB.open("applications", 1);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const clearing = opening.result.transaction("records", "readwrite");
    clearing.objectStore("records").clear();
    await new Promise((resolve) => {
      clearing.oncomplete = resolve;
    });
    button.click();
    opening.result.close();
  });
  await expect(page.getByText("보관했던 신청서가 접수되었습니다")).toBeVisible();
  const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("비운여주"));
  await eventually(() => mine().length).toBe(1);
});

test("what the visitor was told is not kept is not kept later either", async ({
  page,
  site,
  context,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  // Another tab has the database, for longer than a press waits.
  const other = await context.newPage();
  await other.goto(`${site.url}/robots.txt`);
  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "늦은여주" });
  await other.evaluate(async () => {
    const opening = indexedDB.open("applications", 1);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const store = opening.result.transaction("records", "readwrite").objectStore("records");
    const busy = () => {
      if (sessionStorage.getItem("released")) return opening.result.close();
      store.get("nothing").onsuccess = busy;
    };
    busy();
  });
  await form.locator("[type=submit]").click();
  const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
  await expect(box).toBeVisible({ timeout: 15_000 });
  await other.evaluate(() => sessionStorage.setItem("released", "yes"));
  await page.evaluate(() => sessionStorage.clear());
  await eventually(() => keptOf(page, ["늦은여주"])).toEqual([]);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await keptOf(page, ["늦은여주"])).toEqual([]);
});
