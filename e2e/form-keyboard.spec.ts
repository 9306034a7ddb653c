import { FIELD_NAMES, type FieldName, fieldFacts } from "#lib/application/fields.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { wishes } from "#lib/content/wishes.ts";
import { cssColour } from "#testing/browser/css-colour.ts";
import { FORM_URLS, fillForm, openContact, shownReceipt } from "#testing/browser/form.ts";
import { collectTabStops, readFocusedName } from "#testing/browser/tab-stops.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";
import design from "../tailwind.config.ts";

/** A name that could overflow its box, because it has no spaces. */
const LONG_NAME = "가나다라마바사아자차카타파하가나다라마바";
const DATE_LABEL = fieldFacts("preferredDate").label;
const SATURDAY = "2027-03-06";
type Step = [name: string, fillIn: () => Promise<unknown>];
const TYPED_VALUES: Partial<Record<FieldName, string>> = {
  name: LONG_NAME,
  phone: "01023456789",
  age: "34",
};

test.beforeEach(({ quiet }) => quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

test("the contact form can be sent without a mouse", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  await form.getByLabel("이름").focus();
  const { keyboard } = page;
  const press = (name: string, key: string): Step => [name, () => keyboard.press(key)];
  const groups = Object.keys(applicationFormTexts.groups);
  const fields = groups.flatMap((group) =>
    FIELD_NAMES.filter((field) => fieldFacts(field).group === group),
  );
  const steps = fields.flatMap((field): Step[] => {
    const { label, options, isPicked } = fieldFacts(field);
    if (field === "preferredDate") return [[label, () => form.getByLabel(label).fill(SATURDAY)]];
    if (field === "dayType") return [["주말", () => expect(form.getByLabel("주말")).toBeChecked()]];
    if (options) return options.slice(0, 1).map((option) => press(option.label, "Space"));
    if (isPicked) return [press(label, "ArrowDown")];
    const chips = field === "message" ? wishes.filter(({ car }) => !car) : [];
    const type = () => keyboard.type(TYPED_VALUES[field] ?? "없음");
    return [...chips.map((chip) => press(chip.label, "Space")), [label, type]];
  });
  for (const [index, [name, fillIn]] of steps.entries()) {
    if (index > 0) await keyboard.press("Tab");
    // A browser's date field has several tab stops: month, day, year and calendar.
    for (let part = 0; part < 4 && steps[index - 1]?.[0] === DATE_LABEL; part += 1) {
      if ((await readFocusedName(page)).includes(name)) break;
      await keyboard.press("Tab");
    }
    expect(await readFocusedName(page)).toContain(name);
    await fillIn();
  }
  expect(await collectTabStops(page, 2)).toEqual([
    expect.stringContaining("개인정보 처리방침"),
    "신청서 보내기",
  ]);
  await page.clock.install();
  await page.keyboard.press("Enter");
  await expect(shownReceipt(form)).toBeFocused();
  expect(await collectTabStops(page, 3)).toEqual([
    "이 화면 계속 보기",
    "문자로도 보내기",
    "내용 복사",
  ]);
  await page.clock.runFor(10_000);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  const fresh = form.getByRole("button", { name: "새 신청서 쓰기" });
  await expect(fresh).toBeFocused();
  await page.getByRole("link", { name: "신청서", exact: true }).click();
  await expect(shownReceipt(form)).toBeFocused();
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = () => document.documentElement.scrollWidth - innerWidth;
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await fresh.press("Enter");
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await form.getByText("자세히").click();
  const time = form.getByText(/^\d+월 \d+일.+$/);
  const height = await time.evaluate((element) => parseFloat(getComputedStyle(element).lineHeight));
  expect((await time.boundingBox())?.height).toBeLessThan(1.5 * height);
});

test("Enter in a field submits the form on a desktop", async ({ browser, site }) => {
  await using desk = await browser.newContext({ isMobile: false, hasTouch: false });
  const form = await openContact(await desk.newPage(), site.url);
  await form.getByLabel("이름").press("Enter");
  await expect(form.getByLabel("전화번호")).toHaveAttribute("aria-invalid", "true");
});

test("further clicks during a submission send nothing", async ({ page, site }) => {
  let posts = 0;
  const answered = Promise.withResolvers<void>();
  // Removes the form's time limit of 10 s, because a busy machine may need longer for the checks below.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await page.route(FORM_URLS, async (route) => {
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
  await expect(form.locator("form").getByRole("status").first()).toHaveText("보내는 중입니다");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  answered.resolve();
  await expect(shownReceipt(form)).toBeVisible();
  expect(posts).toBe(1);
});

test("the key 다음 leads to the next field, except within a composed syllable", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  const name = form.getByLabel("이름");
  await name.focus();
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    await name.dispatchEvent("keydown", { key: "Enter", keyCode: 13, ...composing });
  await expect(name).toBeFocused();
  for (const field of ["name", "age"] as const) {
    // On iOS the key is an Enter, which would submit the form.
    await form.locator(`[name=${field}]`).press("Enter");
    const next = FIELD_NAMES[FIELD_NAMES.indexOf(field) + 1];
    await expect(form.locator(`[name=${next}]`).first()).toBeFocused();
  }
  await expect(form.locator("[aria-invalid=true]")).toHaveCount(0);
});

test("Tab moves down through the controls of the contact page", async ({ page, site }) => {
  await page.goto(`${site.url}/contact`);
  // The chips for cars appear only after the choice of 연수차.
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
});

test("the focus ring of the telephone card is dark", async ({ page, site }) => {
  await page.goto(`${site.url}/contact`);
  // The ring is dark, because it lies on the light page around the card.
  await page.getByRole("button", { name: "신청서 보내기" }).focus();
  await page.keyboard.press("Tab");
  const card = page.getByRole("main").getByRole("link", { name: /^전화/ }).first();
  await expect(card).toBeFocused();
  await expect(card).toHaveCSS("outline-color", cssColour(design.theme.colors.asphalt[900]));
});
