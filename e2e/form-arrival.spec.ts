import type { Page } from "@playwright/test";
import { blankApplication } from "#lib/content/text-application.ts";
import { expect, test } from "#testing/test.ts";

const PHONE = { width: 390, height: 844 };

/** Every link that says 신청 and leads to /contact, by page. */
async function applyLinks(page: Page): Promise<string[]> {
  return page.$$eval('a[href*="/contact"]', (links) =>
    links
      .filter((link) => link.textContent?.includes("신청"))
      .map((link) => link.getAttribute("href") ?? ""),
  );
}

async function expectFormInView(page: Page): Promise<void> {
  const heading = page.getByRole("heading", { name: "연수 신청서" });
  await expect(heading).toBeFocused();
  // There is nothing to press in it: a ring around it would only look like a button.
  await expect(heading).toHaveCSS("outline-style", "none");
  const bar = await page.getByRole("banner").boundingBox();
  const title = await heading.boundingBox();
  const first = await page.getByLabel("이름").boundingBox();
  if (!bar || !title || !first) throw new Error("the form is not there");
  expect(title.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  // The phone's bottom bar covers the last 68 px.
  expect(first.y + first.height).toBeLessThan(PHONE.height - 68);
}

test("on every page whatever says 신청 leads to the form, an inquiry opens an empty text, and only 문자로 신청하기 the blank form", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/404/);
  for (const path of ["/", "/gallery", "/pricing", "/contact", "/no-such-road"]) {
    await page.goto(site.url + path);
    const hrefs = await applyLinks(page);
    expect(hrefs.length).toBeGreaterThan(0);
    for (const href of hrefs) expect(href).toMatch(/^\/contact(\?car=\w+)?#form$/);

    const texts = await page.$$eval('a[href^="sms:"]', (all) =>
      all.map((link) => ({ says: link.textContent ?? "", href: link.getAttribute("href") ?? "" })),
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const { says, href } of texts) {
      const blank = `sms:01000000000?&body=${encodeURIComponent(blankApplication)}`;
      expect(href, says).toBe(says.includes("문자로 신청하기") ? blank : "sms:01000000000");
    }
  }
});

test("an address with #form shows heading and first field of the form", async ({ page, site }) => {
  await page.setViewportSize(PHONE);
  for (const href of ["/contact#form", "/contact?car=suv#form"]) {
    await page.goto(site.url + href);
    await expectFormInView(page);
  }
});

test("the bottom bar leads to the form, from another page and on its own", async ({
  page,
  site,
}) => {
  await page.setViewportSize(PHONE);
  await page.goto(site.url);
  const bar = page.getByRole("navigation", { name: "바로 문의하기" });
  await bar.getByRole("link", { name: "신청" }).click();
  await expectFormInView(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await bar.getByRole("link", { name: "신청서" }).click();
  await expectFormInView(page);
});

test("Tab goes down the page of the form, at 320 and at 390 px", async ({ page, site }) => {
  await page.goto(`${site.url}/contact`);
  // The wishes for a car are part of the order.
  await page.getByText("연수차", { exact: true }).click();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(() => scrollTo(0, 0));
    const tops = await page.locator("main").evaluate((main) => {
      const controls = main.querySelectorAll<HTMLElement>("a, button, input, select, textarea");
      return [...controls]
        .filter((control) => control.tabIndex >= 0 && control.checkVisibility())
        .map((control) => (control.closest("label") ?? control).getBoundingClientRect().top);
    });
    expect(tops.length).toBeGreaterThan(25);
    expect(tops, `at ${width} px`).toEqual([...tops].sort((a, b) => a - b));
  }
  // The ring lies around the card, on the page: there it must be as dark as any.
  await page.getByRole("button", { name: "신청서 보내기" }).focus();
  await page.keyboard.press("Tab");
  const card = page.getByRole("main").getByRole("link", { name: /^전화/ }).first();
  await expect(card).toBeFocused();
  await expect(card).toHaveCSS("outline-color", "rgb(21, 24, 28)");
});

test.describe("a price ticket", () => {
  test("remembers what it was", async ({ page, site, context }) => {
    await page.goto(`${site.url}/pricing`);
    for (const [name, carType, message] of [
      ["자차로 신청하기", "자차", ""],
      ["중형으로 신청하기", "연수차", "중형 연수차 희망"],
      ["SUV로 신청하기", "연수차", "SUV 연수차 희망"],
    ] as const) {
      const [form] = await Promise.all([
        context.waitForEvent("page"),
        page.getByRole("link", { name }).click(),
      ]);
      await expect(form.getByLabel(carType, { exact: true })).toBeChecked();
      await expect(form.getByLabel("남기실 말씀")).toHaveValue(message);
      await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
      await form.close();
    }
  });

  test("overwrites nothing that was typed before", async ({ page, site }) => {
    await page.goto(`${site.url}/contact`);
    await page.getByText("자차", { exact: true }).click();
    await page.getByLabel("남기실 말씀").fill("주차가 어려워요");
    await page.goto(`${site.url}/contact?car=suv#form`);
    await expect(page.getByLabel("자차", { exact: true })).toBeChecked();
    await expect(page.getByLabel("남기실 말씀")).toHaveValue("주차가 어려워요");
  });

  test("adds its wish above a message, where no car had been chosen", async ({ page, site }) => {
    await page.goto(`${site.url}/contact`);
    await page.getByLabel("남기실 말씀").fill("주차가 어려워요");
    await page.goto(`${site.url}/contact?car=midsize#form`);
    await expect(page.getByLabel("연수차", { exact: true })).toBeChecked();
    await expect(page.getByLabel("남기실 말씀")).toHaveValue("중형 연수차 희망\n주차가 어려워요");
  });

  test("is ignored when its car is unknown", async ({ page, site }) => {
    for (const car of ["truck", "", "constructor", "OWN"]) {
      await page.goto(`${site.url}/contact?car=${car}#form`);
      await expect(page.locator("main form[novalidate]")).toBeVisible();
      await page.getByLabel("이름").fill(`김여주${car}`);
      await expect(page.locator("input[name=carType]:checked")).toHaveCount(0);
      await expect(page.getByLabel("남기실 말씀")).toHaveValue("");
    }
  });

  test("is ignored without script, and the form is there", async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    const page = await context.newPage();
    await page.goto(`${site.url}/contact?car=suv#form`);
    await expectFormInView(page);
    await expect(page.locator("input[name=carType]:checked")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "SUV 희망" })).toBeHidden();
    await context.close();
  });
});
