import { FORM_ROUTES, fillForm, openContact } from "#testing/browser/form.ts";
import { readFocusedName, readTabStops } from "#testing/browser/tab-stops.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";

/** A name without spaces, which must not overflow its container. */
const LONG_NAME = "가나다라마바사아자차카타파하가나다라마바";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

test("the contact form is filled in and sent from the keyboard alone", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  await form.getByLabel("이름").focus();
  const { keyboard } = page;
  const steps: [field: string, press: () => Promise<unknown>][] = [
    ["이름", () => keyboard.type(LONG_NAME)],
    ["전화번호", () => keyboard.type("01023456789")],
    ["남성", () => keyboard.press("ArrowRight")],
    ["나이", () => keyboard.type("34")],
    ["연수 지역", () => keyboard.press("ArrowDown")],
    ["희망 날짜", () => form.getByLabel("희망 날짜").fill("2027-03-06")],
    // The date has already chosen the kind of day.
    ["주말", () => expect(form.getByLabel("주말")).toBeChecked()],
    ["오전", () => keyboard.press("Space")],
    ["자차", () => keyboard.press("Space")],
    ["여성 강사 희망", () => keyboard.press("Space")],
    ["차로 변경", () => keyboard.press("Space")],
    ["주차", () => keyboard.press("Space")],
    ["교차로", () => keyboard.press("Space")],
    ["야간 운전", () => keyboard.press("Space")],
    ["남기실 말씀(선택)", () => keyboard.type("없음")],
  ];
  for (const [index, [field, press]] of steps.entries()) {
    if (index > 0) await page.keyboard.press("Tab");
    // The browser's date field has tab stops of its own for month, day and calendar.
    for (let part = 0; part < 4 && field === "주말"; part += 1) {
      if ((await readFocusedName(page)) === "주말") break;
      await page.keyboard.press("Tab");
    }
    expect(await readFocusedName(page)).toContain(field.replace("(선택)", ""));
    await press();
  }
  expect(await readTabStops(page, 2)).toEqual([
    expect.stringContaining("개인정보 처리방침"),
    "신청서 보내기",
  ]);
  await page.clock.install();
  await page.keyboard.press("Enter");
  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeFocused();
  expect(await readTabStops(page, 3)).toEqual([
    "이 화면 계속 보기",
    "문자로도 보내기",
    "내용 복사",
  ]);
  // The panel does not close while one of its buttons has the focus.
  await page.clock.runFor(10_000);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  const fresh = form.getByRole("button", { name: "새 신청서 쓰기" });
  await expect(fresh).toBeFocused();
  await page.getByRole("link", { name: "신청서", exact: true }).click();
  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeFocused();
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = () => document.documentElement.scrollWidth - innerWidth;
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await fresh.press("Enter");
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await form.getByText("자세히").click();
  // The time in the receipt fits on one line, even on a narrow phone.
  const time = form.getByText(/^\d+월 \d+일.+$/);
  const height = await time.evaluate((element) => parseFloat(getComputedStyle(element).lineHeight));
  expect((await time.boundingBox())?.height).toBeLessThan(1.5 * height);
});

test("the button keeps the focus during a submission, and further clicks send nothing", async ({
  page,
  site,
}) => {
  let posts = 0;
  const answered = Promise.withResolvers<void>();
  await page.route(FORM_ROUTES, async (route) => {
    posts += 1;
    await answered.promise;
    await route.continue();
  });
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "한번여주" });
  await form.locator("[type=submit]").dblclick();
  const button = form.getByRole("button", { name: "보내는 중입니다" });
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(form.getByLabel("이름")).toBeDisabled();
  await expect(form.locator("form")).toHaveAttribute("aria-busy", "true");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  answered.resolve();
  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  expect(posts).toBe(1);
});
