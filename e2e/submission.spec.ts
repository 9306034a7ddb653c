import type { Page } from "@playwright/test";
import { keptOf, workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillForm, openContact, VALUES } from "#testing/form.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

const CORRECTED = "010-8765-4321";

test.beforeEach(({ quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
});

async function openDialog(page: Page, url: string) {
  await page.goto(url);
  const opener = page.getByRole("link", { name: "신청하기", exact: true });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "연수 신청서" });
  await expect(dialog.getByLabel("이름")).toBeFocused();
  return { dialog, opener };
}

/** The dialog with an application that could not be sent and is kept on the device. */
async function failedInDialog(page: Page, url: string, name: string) {
  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  const opened = await openDialog(page, url);
  await fillForm(opened.dialog, { name });
  await opened.dialog.locator("[type=submit]").click();
  await expect(opened.dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
  return opened;
}

/** In place of the seconds until the page tries again by itself. */
const connectionIsBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));

/** As Safari: it does not hold the text still when something above it changes its height. */
async function withoutScrollAnchoring(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...query: [string, string?]) =>
      query[0] !== "overflow-anchor" && supports(query[0], query[1] ?? "");
  });
}

async function keptOnContact(page: Page, url: string, name: string) {
  const form = await openContact(page, url);
  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  await fillForm(form, { name });
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  return form;
}

test.describe("an application that was corrected after its press had failed", () => {
  const ENDINGS: [what: string, leave: (page: Page) => Promise<unknown>][] = [
    ["reloaded", (page) => page.reload()],
    ["closed with X", (page) => page.getByRole("button", { name: "닫기", exact: true }).click()],
    ["closed with Back", (page) => page.goBack()],
  ];
  for (const [index, [what, leave]] of ENDINGS.entries()) {
    test(`goes out as it stood in the form at the end: ${what}`, async ({ page, site, twilio }) => {
      const name = `고침여주${index}`;
      const { dialog } = await failedInDialog(page, site.url, name);
      await dialog.getByLabel("전화번호").fill(CORRECTED);
      await page.unroute(API);
      await leave(page);
      await connectionIsBack(page);
      const mine = () => twilio.messages.filter(({ body }) => body.includes(name));
      await eventually(() => mine().length, { timeout: 20_000 }).toBe(1);
      expect(mine()[0]?.body).toContain(CORRECTED);
      await eventually(() => keptOf(page, [CORRECTED, VALUES.phone])).toEqual([]);
      expect(mine()).toHaveLength(1);
    });
  }

  test("is asked about when it is cancelled: it can be sent, or deleted", async ({
    page,
    site,
    twilio,
  }) => {
    const { dialog, opener } = await failedInDialog(page, site.url, "취소여주");
    await dialog.getByRole("button", { name: "취소" }).click();
    await expect(dialog.getByText("보내지 못한 신청서입니다")).toBeFocused();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "삭제하기" }).click();
    await expect(dialog).toBeHidden();
    await eventually(() => keptOf(page, ["취소여주", VALUES.phone])).toEqual([]);

    await opener.click();
    await expect(dialog.getByLabel("이름")).toHaveValue("");
    await fillForm(dialog, { name: "자동여주" });
    await dialog.locator("[type=submit]").click();
    await expect(dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
    await page.unroute(API);
    await dialog.getByRole("button", { name: "취소" }).click();
    await dialog.getByRole("button", { name: "자동으로 보내기" }).click();
    await expect(dialog).toBeHidden();
    await connectionIsBack(page);
    const of = (name: string) => twilio.messages.filter(({ body }) => body.includes(name));
    await eventually(() => of("자동여주").length, { timeout: 20_000 }).toBe(1);
    expect(of("취소여주")).toEqual([]);
  });
});

test("a corrected version of an application that the server has, though its answer was lost, goes out too", async ({
  page,
  site,
  twilio,
}) => {
  await page.route(API, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, body: "" });
  });
  const { dialog } = await openDialog(page, site.url);
  await fillForm(dialog, { name: "두번여주" });
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
  await dialog.getByLabel("전화번호").fill(CORRECTED);
  await page.unroute(API);
  await dialog.locator("[type=submit]").click();
  await expect(dialog).toBeHidden();
  const mine = () => twilio.messages.filter(({ body }) => body.includes("두번여주"));
  await eventually(() => mine().filter(({ body }) => body.includes(CORRECTED)).length).toBe(1);
  expect(mine().length).toBeLessThanOrEqual(2);
});

test("the dialog's failure offers to send again and to text before its details", async ({
  page,
  site,
}) => {
  const { dialog } = await failedInDialog(page, site.url, "두줄여주");
  const box = dialog.getByRole("alert");
  const top = async (name: "button" | "link", label: string) =>
    (await box.getByRole(name, { name: label }).boundingBox())?.y ?? Number.NaN;
  const details = (await box.getByText("문자 앱이 열리지 않으면").boundingBox())?.y ?? 0;
  expect(await top("button", "다시 보내기")).toBeLessThan(details);
  expect(await top("link", "문자로 신청하기")).toBeLessThan(details);
  await page.unroute(API);
  await box.getByRole("button", { name: "다시 보내기" }).click();
  await expect(dialog).toBeHidden();
});

test("Back closes an open dialog, and keeps what was typed", async ({ page, site }) => {
  await page.goto(`${site.url}/pricing`);
  const { dialog, opener } = await openDialog(page, site.url);
  await dialog.getByLabel("이름").fill("뒤로여주");
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/`);
  await opener.click();
  await expect(dialog.getByLabel("이름")).toHaveValue("뒤로여주");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await eventually(() => page.evaluate(() => "overlay" in (history.state ?? {}))).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/pricing`);
});

test("Back closes a dialog also when the page was reloaded while it was open", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/pricing`);
  const { opener, dialog } = await openDialog(page, site.url);
  await page.reload();
  await opener.click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/pricing`);
});

test("a press whose code never arrives leads to the form's page", async ({ page, site }) => {
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  await page.goto(site.url);
  await page.route(/_next\/static\/.*\.js/, () => new Promise(() => undefined));
  const opener = page.getByRole("link", { name: "신청하기", exact: true });
  await opener.click({ noWaitAfter: true });
  await page.waitForURL(`${site.url}/contact#form`, { timeout: 8_000, waitUntil: "commit" });
});

for (const [width, height] of [
  [320, 568],
  [844, 390],
] as const) {
  test(`the receipt is in view without scrolling, at ${width} by ${height}`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height });
    const form = await openContact(page, site.url);
    await fillForm(form, { name: `보임여주${width}` });
    await form.locator("[type=submit]").click();
    const heading = form.getByRole("heading", { name: "신청이 접수되었습니다" });
    await expect(heading).toBeFocused();
    const bar = await page.locator("header").first().boundingBox();
    const covered = (bar?.y ?? 0) + (bar?.height ?? 0);
    const bottomBar = await page.locator(".bottom-bar").boundingBox();
    const end = bottomBar && bottomBar.y < height ? bottomBar.y : height;
    for (const part of [heading, form.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)]) {
      const box = await part.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(covered);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(end);
    }
  });
}

test("the panel does not end under somebody who reads it, and what stays has the focus then", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "읽는여주" });
  await page.clock.install();
  await form.locator("[type=submit]").press("Enter");
  const heading = form.getByRole("heading", { name: "신청이 접수되었습니다" });
  await expect(heading).toBeFocused();
  // As the caret of a screen reader does.
  await form.getByText("신청 내용").evaluate((element) => getSelection()?.collapse(element, 0));
  // One by one: the page begins a second when it has shown the one before.
  for (let seconds = 0; seconds < 10; seconds++) await page.clock.runFor(1_000);
  await expect(heading).toBeVisible();
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await page.clock.runFor(4_000);
  await expect(heading).toBeHidden();
  const receipt = form.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(page.locator(":focus")).toContainText("접수되었습니다");
});

test("an unexpected failure at the press ends with a call and a text message, and nothing is kept", async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    crypto.randomUUID = () => {
      throw new Error("unexpected");
    };
  });
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "예외여주" });
  await form.locator("[type=submit]").click();
  const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
  await expect(box).toBeFocused();
  await expect(box.getByRole("link", { name: "전화로 신청하기" })).toHaveAttribute("href", /^tel:/);
  await expect(box.getByRole("link", { name: "문자로 신청하기" })).toHaveAttribute("href", /^sms:/);
  await expect(form.getByLabel("이름")).toHaveValue("예외여주");
  await expect(form.locator("[type=submit]")).toBeEnabled();
});

test("지금 보내기 always answers", async ({ page, site }) => {
  await keptOnContact(page, site.url, "대답여주");
  await page.goto(`${site.url}/pricing`);
  const status = page.getByRole("status").filter({ hasText: "아직 보내지 못한" });
  await status.getByRole("button", { name: "지금 보내기" }).click();
  await expect(status).toContainText("지금은 보내지 못했습니다. 잠시 뒤 자동으로 다시 보냅니다.");
  await expectAccessible(page);
  await page.unroute(API);
  await status.getByRole("button", { name: "지금 보내기" }).click();
  await expect(page.getByText("보관했던 신청서가 접수되었습니다.")).toBeVisible();
});

test("what one tab deletes, another tab no longer shows", async ({ page, site, context }) => {
  await context.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  await keptOnContact(page, site.url, "두탭여주");
  const other = await context.newPage();
  await other.goto(`${site.url}/pricing`);
  const shown = other.getByText("아직 보내지 못한 신청서가");
  await expect(shown).toBeVisible();
  await page.goto(`${site.url}/gallery`);
  await page.getByRole("button", { name: "삭제" }).click();
  await page.getByRole("button", { name: "삭제하기" }).click();
  await expect(shown).toHaveCount(0);
});

test("a notice does not move the text under a reader who has scrolled, where the browser does not see to that", async ({
  page,
  site,
}) => {
  await withoutScrollAnchoring(page);
  await page.addInitScript(() => {
    // As Safari: later than the visitor begins to read.
    globalThis.requestIdleCallback = (work) =>
      Number(setTimeout(() => Reflect.apply(work, undefined, []), 1_500));
  });
  await keptOnContact(page, site.url, "안밀여주");
  await page.goto(`${site.url}/pricing`);
  await page.evaluate(() => {
    document.documentElement.style.setProperty("overflow-anchor", "none");
  });
  await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
  const heading = page.locator("main h2").first();
  const before = (await heading.boundingBox())?.y;
  await expect(page.getByText("아직 보내지 못한 신청서가")).toBeAttached();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect((await heading.boundingBox())?.y).toBeCloseTo(before ?? 0, 0);
});

test("the notices that give way to the receipt do not push it out of view, where the browser has no scroll anchoring", async ({
  page,
  site,
}) => {
  await withoutScrollAnchoring(page);
  await page.setViewportSize({ width: 320, height: 568 });
  for (const name of ["처음여주", "다음여주"]) {
    const form = await openContact(page, site.url);
    await fillForm(form, { name });
    await form.locator("[type=submit]").click();
    await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeFocused();
    // What is measured at the change of the page is told in the next frame.
    await page.evaluate(
      () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end))),
    );
    const number = await form.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).boundingBox();
    const bottomBar = await page.locator(".bottom-bar").boundingBox();
    expect((number?.y ?? 568) + (number?.height ?? 0)).toBeLessThanOrEqual(bottomBar?.y ?? 0);
  }
});

test("고쳐서 보내기 during a submission waits for its answer, and then brings the correction", async ({
  page,
  site,
}) => {
  await keptOnContact(page, site.url, "먼저여주");
  await page.unroute(API);
  await page.route(API, (route) =>
    route.fulfill({
      status: 400,
      json: {
        success: false,
        message: "다시",
        errors: { phone: ["전화번호를 다시 적어 주세요."] },
      },
    }),
  );
  await page.reload();
  const main = page.locator("main");
  const notice = main.getByRole("alert").filter({ hasText: "접수되지 않았습니다" });
  await expect(notice).toBeVisible();
  await page.unroute(API);
  const answered = Promise.withResolvers<void>();
  await page.route(API, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await fillForm(main, { name: "나중여주" });
  await page.clock.install();
  await main.locator("[type=submit]").click();
  await expect(main.locator("form")).toHaveAttribute("aria-busy", "true");
  await notice.getByRole("link", { name: "고쳐서 보내기" }).click();
  await expect(main.getByLabel("이름")).toHaveValue("나중여주");
  answered.resolve();
  await expect(main.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  await page.clock.runFor(3_000);
  await expect(main.getByLabel("이름")).toHaveValue("먼저여주");
  await expect(main.getByLabel("전화번호")).toBeFocused();
});

test("an application that was kept while the clock was wrong is sent, not expired", async ({
  page,
  site,
  smtp,
}) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("clock") === "right") return;
    const now = Date.now;
    Date.now = () => now() - 5 * 365 * 86_400_000;
  });
  await keptOnContact(page, site.url, "시계여주");
  await page.evaluate(() => sessionStorage.setItem("clock", "right"));
  await page.unroute(API);
  await page.goto(`${site.url}/pricing`);
  await expect(page.getByText("보관했던 신청서가 접수되었습니다.")).toBeVisible();
  const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("시계여주"));
  await eventually(() => mine().length).toBe(1);
});

test.describe("with the service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("pictures that were shown are there without a network, and pages need no preload", async ({
    page,
    site,
  }) => {
    await page.goto(site.url);
    await workerIsReady(page);
    const preloads = await page.evaluate(async () => {
      const { navigationPreload } = await navigator.serviceWorker.ready;
      return (await navigationPreload.getState()).enabled;
    });
    expect(preloads).toBe(false);
    await page.goto(`${site.url}/gallery`);
    const picture = page.locator("main img").first();
    const shown = () =>
      picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0);
    await eventually(shown).toBe(true);
    await page.context().setOffline(true);
    await page.goto(`${site.url}/gallery`);
    await eventually(shown).toBe(true);
  });
});
