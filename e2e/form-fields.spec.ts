import type { Locator } from "@playwright/test";
import { FIELD_NAMES, OPTIONAL_FIELDS } from "#lib/application/fields.ts";
import { phoneProblems } from "#lib/application/messages.ts";
import { koreanDate, seoulDate } from "#lib/application/seoul-time.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { cssColour } from "#testing/browser/css-colour.ts";
import {
  FORM_URLS,
  fillForm,
  openContact,
  openDialog,
  recordPosts,
  shownReceipt,
} from "#testing/browser/form.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";
import design from "../tailwind.config.ts";

const { lane } = design.theme.colors;

const chip = (form: Locator, name: string) => form.getByRole("button", { name, exact: true });
const tile = (form: Locator, name: string) => form.getByText(name, { exact: true });

/** A Tuesday in Seoul, while it is still Monday in UTC. */
const NOW = Date.parse("2026-12-29T08:59:59+09:00");

/** The first day with this weekday (`월`) at least a week after `NOW`, as a field's value and as text. */
function nextWeekday(weekday: string) {
  const named = new Intl.DateTimeFormat("ko-KR", { timeZone: "Asia/Seoul", weekday: "short" });
  let day = NOW + 7 * 86_400_000;
  while (named.format(day) !== weekday) day += 86_400_000;
  const date = seoulDate(day);
  return { date, readable: koreanDate(date, NOW) };
}

test("each tap on a chip adds or removes its wish in the message", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  const message = form.getByLabel("남기실 말씀");
  await fillForm(form, { message: "", carType: "연수차" });
  // A wish for another car replaces the first wish for a car, and no chip moves.
  const { x } = (await chip(form, "야간 운전").boundingBox()) ?? {};
  for (const wish of ["주차", "중형 희망", "SUV 희망", "야간 운전", "주차"])
    await chip(form, wish).click();
  await expect(message).toHaveValue("SUV 연수차 희망, 야간 운전 연습");
  expect((await chip(form, "야간 운전").boundingBox())?.x).toBe(x);
  for (const [wish, pressed] of Object.entries({
    "SUV 희망": true,
    "중형 희망": false,
    주차: false,
  }))
    await expect(chip(form, wish)).toHaveAttribute("aria-pressed", `${pressed}`);
  await expectAccessible(page);
  // A learner who brings their own car sees no chips for the academy's cars.
  await tile(form, "자차").click();
  await expect(chip(form, "SUV 희망")).toBeHidden();
  await expect(message).toHaveValue("야간 운전 연습");

  await page.reload();
  await expect(chip(form, "야간 운전")).toHaveAttribute("aria-pressed", "true");
  const sent = page.waitForRequest(FORM_URLS);
  await form.locator("[type=submit]").click();
  expect((await sent).postDataJSON()).toMatchObject({ message: "야간 운전 연습" });
  expect((await sent).postDataJSON()).not.toHaveProperty("homepage");
});

test("dashes above the form count the required fields and the submission", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  const filled = form.locator(".field-dashes > [data-filled]");
  await expect(filled).toHaveCount(0);
  await expect(form.getByText(/^9칸 중/)).toHaveCount(0);
  await form.getByLabel("나이").fill("34");
  await expect(filled).toHaveCSS("background-color", cssColour(lane[500]));
  await expect(form.getByText("9칸 중 1칸")).toBeVisible();
  await form.getByLabel("나이").fill("");
  await expect(filled).toHaveCount(0);
  await fillForm(form);
  await expect(filled).toHaveCount(9);
  await expect(form.getByText("9칸 중 9칸")).toBeVisible();

  const lastDash = form.locator(".field-dashes > :last-child");
  await expect(lastDash).not.toHaveAttribute("data-filled");
  await page.route(FORM_URLS, () => undefined);
  await form.locator("[type=submit]").click();
  await expect(lastDash).toHaveAttribute("data-filled");
});

test("the date decides weekday or weekend until the visitor chooses", async ({ page, site }) => {
  await page.clock.setFixedTime(NOW);
  const [sunday, monday, friday] = [nextWeekday("일"), nextWeekday("월"), nextWeekday("금")];
  const form = await openContact(page, site.url);
  const date = form.getByLabel("희망 날짜");
  const words = form.getByText("날짜를 골라 주세요");
  await expect(words).toBeVisible();
  // Chromium's year takes six digits if `max` is missing: a typed month would become part of the year.
  await expect(date).toHaveAttribute("max", "9999-12-31");
  await expect(date).toHaveCSS("color", "rgba(0, 0, 0, 0)");
  await date.fill(sunday.date);
  await date.blur();
  await expect(words).toBeHidden();
  await expect(date).not.toHaveCSS("color", "rgba(0, 0, 0, 0)");
  await expect(form.getByLabel("주말")).toBeChecked();
  await expect(form.getByText("일요일", { exact: true })).toBeVisible();
  await date.fill(monday.date);
  await expect(form.getByLabel("평일")).toBeChecked();
  await expect(date).toHaveAccessibleDescription("");
  for (const [day, hint] of [
    ["2020-03-06", applicationFormTexts.pastDate],
    [seoulDate(NOW), ""],
    [seoulDate(NOW - 86_400_000), applicationFormTexts.pastDate],
  ] as const) {
    await date.fill(day);
    await expect(date).toHaveAccessibleDescription(hint);
  }
  await page.reload();
  await expect(date).toHaveAccessibleDescription(applicationFormTexts.pastDate);

  await tile(form, "주말").click();
  await expectAccessible(page);
  for (const { date: day, readable } of [monday, friday]) {
    await date.fill(day);
    await expect(form.getByLabel("주말")).toBeChecked();
    const conflict = new RegExp(`^${readable}은 .요일입니다. 요일을 확인해 주세요.$`);
    await expect(date).toHaveAccessibleDescription(conflict);
    await expect(form.getByRole("status").filter({ hasText: conflict })).toHaveCount(1);
  }
  await date.fill("");
  await tile(form, "평일").click();
  await page.reload();
  await expect(form.getByLabel("평일")).toBeChecked();
  await date.fill(sunday.date);
  await expect(form.getByText("일요일", { exact: true })).toBeVisible();
  await expect(form.getByLabel("평일")).toBeChecked();
  const sent = page.waitForRequest(FORM_URLS);
  await fillForm(form, { preferredDate: monday.date, dayType: "주말" });
  await form.locator("[type=submit]").click();
  const weekend = { preferredDate: monday.date, dayType: "weekend" };
  expect((await sent).postDataJSON()).toMatchObject(weekend);
});

test("only a submission shows the errors of the form", async ({ page, site }) => {
  const sent = recordPosts(page);
  const form = await openContact(page, site.url);
  const groups = ["성별", "요일", "시간대", "연수 차량"];
  await expect(form.locator("[aria-invalid=true]")).toHaveCount(0);
  const countBorderColours = () =>
    form
      .locator("form .control, form .tile")
      .evaluateAll((all) => new Set(all.map((each) => getComputedStyle(each).borderColor)).size);
  expect(await countBorderColours()).toBe(1);
  const radioOf = (name: string) =>
    form.getByRole("radiogroup", { name }).getByRole("radio").first();
  for (const name of groups) {
    await expect(form.getByRole("radiogroup", { name })).toHaveAttribute("aria-required", "true");
    // The radio button is as large as its tile, so that touch with a screen reader finds the button.
    expect((await radioOf(name).boundingBox())?.height).toBeGreaterThan(44);
  }
  await form.locator("[type=submit]").press("Enter");
  await expect(form.getByLabel("이름")).toBeFocused();
  await expect.poll(countBorderColours).toBe(2);
  for (const name of ["이름", ...groups]) {
    const field = form.getByLabel(name, { exact: true });
    await expect(field).toHaveAttribute("aria-invalid", "true");
    // VoiceOver reads the description of a radio button, but not the description of its group.
    const focusable = groups.includes(name) ? radioOf(name) : field;
    await expect(focusable).toHaveAccessibleDescription(/./);
  }
  const required = FIELD_NAMES.length - OPTIONAL_FIELDS.length;
  await expect(page.locator("[id^=contact-][id$=-error]")).toHaveCount(required);
  // A screen reader would announce a nested live region twice.
  await expect(page.locator("[role=status] [role=alert], [role=alert] [role=status]")).toHaveCount(
    0,
  );
  await expectAccessible(page);

  // One invalid value is enough for each field: unit tests cover the exact limits.
  for (const [field, label, typed, says] of [
    ["name", "이름", "김".repeat(60), "이름을 50자 이내로 적어 주세요."],
    ["phone", "전화번호", "010-1234-567", phoneProblems.mobile],
    ["message", "남기실 말씀", "가".repeat(1_200), "남기실 말씀은 1,000자까지 적으실 수 있습니다."],
  ] as const) {
    await fillForm(form, { [field]: typed });
    await form.locator("[type=submit]").click();
    const control = form.getByLabel(label);
    await expect(control).toBeFocused();
    await expect(control).toHaveValue(typed);
    await expect(control).toHaveAccessibleDescription(says);
  }
  const message = form.getByLabel("남기실 말씀");
  for (const [length, hint] of [
    [1_000, "0자 더 적으실 수 있습니다."],
    [1_100, "1,000자까지 적으실 수 있습니다. 100자를 줄여 주세요."],
    [850, ""],
  ] as const) {
    await message.fill("가".repeat(length));
    await expect(message).toHaveAccessibleDescription(hint);
  }
  await expect(message).toHaveAttribute("aria-invalid", "false");
  // A screen reader announces the length only after every twentieth character.
  for (const length of [945, 946]) await message.fill("가".repeat(length));
  await expect(form.getByRole("status").filter({ hasText: /^55자/ })).toHaveCount(1);
  expect(sent).toEqual([]);
});

test("fields ask for the keyboard and the autofill that fit them", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  for (const [label, attribute, value] of [
    ["이름", "autocomplete", "name"],
    ["전화번호", "autocomplete", "tel"],
    ["전화번호", "type", "tel"],
    ["나이", "inputmode", "numeric"],
  ] as const)
    await expect(form.getByLabel(label)).toHaveAttribute(attribute, value);
});

test("visitors cannot see the honeypot [31]", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  const honeypot = form.locator("[name=homepage]");
  await expect(honeypot).toHaveAttribute("autocomplete", "off");
  await expect(honeypot).toHaveAttribute("aria-hidden", "true");
  await expect(honeypot).not.toBeInViewport();
  await fillForm(form);
  await honeypot.evaluate((input: HTMLInputElement) => {
    input.value = "x";
  });
  const sent = page.waitForRequest(FORM_URLS);
  await form.locator("[type=submit]").click();
  expect((await sent).postDataJSON()).toMatchObject({ homepage: "x" });
});

test("the dialog leads visitors over 80 to /contact with their values", async ({ page, site }) => {
  const dialog = await openDialog(page, site.url);
  const age = dialog.getByLabel("나이");
  const elsewhere = dialog.getByRole("link", { name: "적으신 내용 그대로 이어서 쓰기" });
  await fillForm(dialog, { name: "어른여주", age: "17" });
  await dialog.locator("[type=submit]").click();
  await expect(age).toBeFocused();
  await expect(age).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("#dialog-age-hint")).toHaveCount(0);
  await age.fill("85");
  await expect(age).toHaveAccessibleDescription(/81세 이상이시면 연수 신청 페이지/);
  await elsewhere.click();
  const form = page.locator("main");
  await expect(form.getByLabel("나이")).toHaveValue("85");
  await expect(form.getByLabel("이름")).toHaveValue("어른여주");
  await form.locator("[type=submit]").click();
  await expect(shownReceipt(form)).toBeVisible();
});

test("placeholders fit their fields at 360 px with text of double size", async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 844 });
  const form = await openContact(page, site.url);
  await form.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  const fields = await form.locator("input[placeholder], select").evaluateAll((all) => {
    const context = document.createElement("canvas").getContext("2d");
    return all.map((field) => {
      const isList = field instanceof HTMLSelectElement;
      const example = isList ? field.selectedOptions[0]?.text : field.getAttribute("placeholder");
      const { fontSize } = getComputedStyle(field, isList ? null : "::placeholder");
      const { fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
      if (!context || !example) throw new Error("The field has no example.");
      context.font = `${fontSize} ${fontFamily}`;
      const room =
        field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return { example, spare: room - context.measureText(example).width };
    });
  });
  expect(fields.length).toBeGreaterThan(3);
  for (const { example, spare } of fields) expect(spare, example).toBeGreaterThanOrEqual(0);
});
