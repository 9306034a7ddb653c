import type { Locator } from "@playwright/test";
import { koreanDate, seoulDate } from "#lib/application/seoul-time.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillForm, openContact } from "#testing/form.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

const chip = (form: Locator, name: string) => form.getByRole("button", { name, exact: true });
const tile = (form: Locator, name: string) => form.getByText(name, { exact: true });

/** The first day of this kind (`월`) that is at least a week away in Seoul: as its field has it, and as it reads. */
function coming(weekday: string) {
  const named = new Intl.DateTimeFormat("ko-KR", { timeZone: "Asia/Seoul", weekday: "short" });
  let day = Date.now() + 7 * 86_400_000;
  while (named.format(day) !== weekday) day += 86_400_000;
  const date = seoulDate(day);
  return { date, readable: koreanDate(date) };
}

test.describe("wishes at a tap", () => {
  test("a chip writes its words into the message, takes them out again, and goes with them", async ({
    page,
    site,
  }) => {
    const form = await openContact(page, site.url);
    const message = form.getByLabel("남기실 말씀");
    await expect(chip(form, "여성 강사 희망")).toHaveAttribute("aria-pressed", "false");
    await chip(form, "여성 강사 희망").click();
    await chip(form, "주차").click();
    await expect(message).toHaveValue("여성 강사 희망, 주차 연습");
    await expect(chip(form, "주차")).toHaveAttribute("aria-pressed", "true");
    await message.press("End");
    await message.pressSequentially(" 잘 부탁드립니다");
    await chip(form, "여성 강사 희망").click();
    await expect(message).toHaveValue("주차 연습 잘 부탁드립니다");
    await expect(chip(form, "여성 강사 희망")).toHaveAttribute("aria-pressed", "false");
    await expectAccessible(page);
    // Words that the visitor deletes release their chip.
    await message.fill("");
    await expect(chip(form, "주차")).toHaveAttribute("aria-pressed", "false");

    // The trainer's cars are offered with the trainer's car alone.
    await expect(chip(form, "SUV 희망")).toBeHidden();
    await tile(form, "연수차").click();
    // One of them at a time, and pressing moves no other chip.
    const { x } = (await chip(form, "야간 운전").boundingBox()) ?? {};
    await chip(form, "중형 희망").click();
    await chip(form, "SUV 희망").click();
    await expect(chip(form, "중형 희망")).toHaveAttribute("aria-pressed", "false");
    expect((await chip(form, "야간 운전").boundingBox())?.x).toBe(x);
    await chip(form, "야간 운전").click();
    await expect(form.getByLabel("남기실 말씀")).toHaveValue("SUV 연수차 희망, 야간 운전 연습");
    await tile(form, "자차").click();
    await expect(chip(form, "중형 희망")).toBeHidden();
    await expect(form.getByLabel("남기실 말씀")).toHaveValue("야간 운전 연습");
  });

  test("wishes outlive a reload and are sent with the message", async ({ page, site }) => {
    const form = await openContact(page, site.url);
    await fillForm(form, { message: "" });
    await chip(form, "여성 강사 희망").click();
    await page.reload();
    await expect(chip(form, "여성 강사 희망")).toHaveAttribute("aria-pressed", "true");
    const sent = page.waitForRequest(API);
    await form.locator("[type=submit]").click();
    expect((await sent).postDataJSON()).toMatchObject({ message: "여성 강사 희망" });
  });

  test("they are in the dialog too", async ({ page, site }) => {
    await page.goto(site.url);
    await page.getByText("신청하기", { exact: true }).click();
    const dialog = page.getByRole("dialog");
    await chip(dialog, "차로 변경").click();
    await expect(dialog.getByLabel("남기실 말씀")).toHaveValue("차로 변경 연습");
  });
});

test.describe("the day follows the date", () => {
  test("until the visitor has chosen one; a conflict is told, not refused", async ({
    page,
    site,
  }) => {
    const [sunday, monday, friday] = [coming("일"), coming("월"), coming("금")];
    const form = await openContact(page, site.url);
    const date = form.getByLabel("희망 날짜");
    // An empty date says so, and shows no day of any calendar.
    const words = form.getByText("날짜를 골라 주세요");
    await expect(words).toBeVisible();
    await expect(date).toHaveCSS("color", "rgba(0, 0, 0, 0)");
    await date.fill(sunday.date);
    await date.blur();
    await expect(words).toBeHidden();
    await expect(date).not.toHaveCSS("color", "rgba(0, 0, 0, 0)");
    await expect(form.getByLabel("주말")).toBeChecked();
    await expect(form.getByText("일요일", { exact: true })).toBeVisible();
    await date.fill(monday.date);
    await expect(form.getByLabel("평일")).toBeChecked();
    await expect(form.getByText("월요일", { exact: true })).toBeVisible();
    await expect(form.getByText("요일을 확인해 주세요", { exact: false })).toBeHidden();

    await tile(form, "주말").click();
    await expect(date).toHaveAccessibleDescription(
      `${monday.readable}은 월요일입니다. 요일을 확인해 주세요.`,
    );
    await expectAccessible(page);
    await date.fill(friday.date);
    await expect(form.getByLabel("주말")).toBeChecked();
    await expect(date).toHaveAccessibleDescription(
      `${friday.readable}은 금요일입니다. 요일을 확인해 주세요.`,
    );
    const sent = page.waitForRequest(API);
    await fillForm(form, { preferredDate: monday.date, dayType: "주말" });
    await form.locator("[type=submit]").click();
    expect((await sent).postDataJSON()).toMatchObject({
      preferredDate: monday.date,
      dayType: "weekend",
    });
  });

  test("a day chosen before the date stays", async ({ page, site }) => {
    const form = await openContact(page, site.url);
    await tile(form, "평일").click();
    await form.getByLabel("희망 날짜").fill(coming("일").date);
    await expect(form.getByLabel("평일")).toBeChecked();
  });

  test("a day of a draft counts as chosen", async ({ page, site }) => {
    const monday = coming("월");
    const form = await openContact(page, site.url);
    await form.getByLabel("희망 날짜").fill(coming("일").date);
    await page.reload();
    await expect(form.getByLabel("주말")).toBeChecked();
    await form.getByLabel("희망 날짜").fill(monday.date);
    await expect(form.getByLabel("주말")).toBeChecked();
    await expect(form.getByLabel("희망 날짜")).toHaveAccessibleDescription(
      `${monday.readable}은 월요일입니다. 요일을 확인해 주세요.`,
    );
  });
});

test.describe("typing", () => {
  test("an empty form tells of each field in one sentence, of a choice as of a field", async ({
    page,
    site,
  }) => {
    const form = await openContact(page, site.url);
    await form.locator("[type=submit]").click();
    await expect(form.getByLabel("이름")).toBeFocused();
    for (const name of ["성별", "요일", "시간대", "연수 차량"]) {
      const group = form.getByRole("radiogroup", { name });
      await expect(group).toHaveAttribute("aria-invalid", "true");
      await expect(group).toHaveAccessibleDescription(/./);
    }
    await expect(page.locator("[id^=contact-][id$=-error]")).toHaveCount(9);
    await expectAccessible(page);
  });

  test("Back may bring back every field that a person sees, and the mouse wheel leaves the age alone", async ({
    page,
    site,
  }) => {
    const form = await openContact(page, site.url);
    // WebKit forgets what a field held that has autocomplete="off".
    await expect(form.locator("[autocomplete=off]")).toHaveCount(1);
    await expect(form.locator("[autocomplete=off]")).toHaveAttribute("name", "homepage");

    const age = form.getByLabel("나이");
    await age.fill("32");
    await age.hover();
    const before = await page.evaluate(() => scrollY);
    for (let notch = 0; notch < 5; notch += 1) await page.mouse.wheel(0, 120);
    await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(before);
    await expect(age).toHaveValue("32");
  });

  test("nothing of a long message or name is cut off: it is counted, and refused in a sentence", async ({
    page,
    site,
  }) => {
    const form = await openContact(page, site.url);
    const message = form.getByLabel("남기실 말씀");
    await fillForm(form, { message: "가".repeat(850) });
    await expect(message).not.toHaveAccessibleDescription(/자/);
    await message.fill("가".repeat(960));
    await expect(message).toHaveAccessibleDescription("40자 더 적을 수 있습니다.");
    await message.fill("가".repeat(1_200));
    await expect(message).toHaveAccessibleDescription(
      "1,000자까지 보낼 수 있습니다. 200자를 줄여 주세요.",
    );
    await expect(message).toHaveValue("가".repeat(1_200));
    await form.locator("[type=submit]").click();
    await expect(message).toBeFocused();
    await expect(message).toHaveAccessibleDescription(
      "남기실 말씀은 1,000자까지 적을 수 있습니다.",
    );
    await message.fill("가".repeat(1_000));
    await expect(message).toHaveAttribute("aria-invalid", "false");

    await fillForm(form, { name: "김".repeat(60), age: "17" });
    await form.locator("[type=submit]").click();
    await expect(form.getByLabel("이름")).toHaveValue("김".repeat(60));
    await expect(form.getByLabel("이름")).toHaveAccessibleDescription(
      "이름을 50자 이내로 적어 주세요.",
    );
    // A wrong age has one line under it.
    await expect(page.locator("#contact-age-error")).toBeVisible();
    await expect(page.locator("#contact-age-hint")).toHaveCount(0);
  });
});
