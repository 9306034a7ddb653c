import type { Page } from "@playwright/test";
import { formatFieldValue } from "#lib/application/fields.ts";
import { parsePrefill } from "#lib/browser/prefill.ts";
import { offers } from "#lib/content/prices.ts";
import { regions } from "#lib/content/regions.ts";
import { fillForm, openContact } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";

const PHONE_WINDOW = { width: 390, height: 844 };

async function expectFormInView(page: Page): Promise<void> {
  const heading = page.getByRole("heading", { name: "연수 신청서" });
  await expect(heading).toBeFocused();
  // The heading is not a control; a ring would make it look like a button.
  await expect(heading).toHaveCSS("outline-style", "none");
  const bar = await page.getByRole("banner").boundingBox();
  const title = await heading.boundingBox();
  const first = await page.getByLabel("이름").boundingBox();
  if (!bar || !title || !first) throw new Error("the form is not there");
  expect(title.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  // The bottom bar covers the last 68 px of a phone's window.
  expect(first.y + first.height).toBeLessThan(PHONE_WINDOW.height - 68);
}

test("links to #form show the form's heading and first field", async ({ page, site }) => {
  await page.goto(`${site.url}/contact?car=suv#form`);
  await expectFormInView(page);
  await page.goto(site.url);
  const bar = page.getByRole("navigation", { name: "바로 문의하기" });
  await bar.getByRole("link", { name: "신청" }).click();
  await expectFormInView(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await bar.getByRole("link", { name: "신청서" }).click();
  await expectFormInView(page);
});

test("each price ticket's link prefills its car and its wish", async ({ page, site, context }) => {
  for (const path of ["/", "/pricing"]) {
    await page.goto(site.url + path);
    const hrefs = offers.map(({ apply }) =>
      page.getByRole("link", { name: apply }).getAttribute("href"),
    );
    expect(await Promise.all(hrefs)).toEqual(offers.map(({ id }) => `/contact?car=${id}#form`));
  }
  const ofTrainer = offers.find(({ group }) => group === "training");
  if (!ofTrainer) throw new Error("no offer has a car of the trainer");
  const [form] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: ofTrainer.apply }).click(),
  ]);
  await expect(
    form.getByLabel(formatFieldValue("carType", "training"), { exact: true }),
  ).toBeChecked();
  const { wish } = parsePrefill(`?car=${ofTrainer.id}`);
  await expect(form.getByLabel("남기실 말씀")).toHaveValue(wish?.words ?? "");
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await expect(page).toHaveURL(`${site.url}/pricing`);
});

test("a price ticket's new tab has what was typed in the first tab", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  await form.getByLabel("이름").fill("옮긴여주");
  await page.goto(`${site.url}/pricing`);
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: offers[0]?.apply ?? "" }).click();
  await expect((await opened).getByLabel("이름")).toHaveValue("옮긴여주");
});

test("a new form after a submission ignores the price ticket's link", async ({ page, site }) => {
  await page.goto(`${site.url}/contact?car=suv#form`);
  const form = page.locator("main");
  await fillForm(form, { message: "" });
  await form.locator("[type=submit]").click();
  await form.getByRole("button", { name: "이 화면 계속 보기" }).click();
  await form.getByRole("button", { name: "새 신청서 쓰기" }).click();
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await expect(form.getByLabel("남기실 말씀")).toHaveValue("");
  await expect(form.locator("input[name=carType]:checked")).toHaveCount(0);
});

test("the last link for a region or a wish fills in the form, once", async ({ page, site }) => {
  const [first, other] = regions.filter(({ isPhoneOnly }) => !isPhoneOnly);
  const region = page.getByLabel("연수 지역");
  const message = page.getByLabel("남기실 말씀");
  for (const { name, romanised } of [first, other].flatMap((each) => each ?? [])) {
    await page.goto(site.url);
    await page.getByRole("link", { name: romanised }).click();
    await expect(region).toHaveValue(name);
  }
  await page.goto(site.url);
  await page.getByRole("link", { name: "차로 변경" }).click();
  await expect(message).toHaveValue("차로 변경 연습");
  await expect(region).toHaveValue(other?.name ?? "");
  await message.fill("");
  await region.selectOption(first?.name ?? "");
  await page.reload();
  await expect(region).toHaveValue(first?.name ?? "");
  await expect(message).toHaveValue("");
});

test("a price ticket's link changes the car and keeps the visitor's message", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  const message = form.getByLabel("남기실 말씀");
  const chosen = form.locator("input[name=carType]:checked");
  await message.fill("주차");
  await page.goto(`${site.url}/contact?car=constructor#form`);
  await expect(message).toHaveValue("주차");
  await expect(chosen).toHaveCount(0);
  for (const [car, carType, written] of [
    ["midsize", "training", "중형 연수차 희망\n주차"],
    ["suv", "training", "SUV 연수차 희망\n주차"],
    ["own", "own", "주차"],
  ]) {
    await page.goto(`${site.url}/contact?car=${car}#form`);
    await expect(message).toHaveValue(written ?? "");
    await expect(chosen).toHaveValue(carType ?? "");
  }
});
