import { expect, test } from "#testing/test.ts";

test("from a price ticket to the receipt: at most 12 taps, and no field twice", async ({
  page,
  site,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.url}/pricing`);
  let taps = 0;
  const tapped = (times = 1) => {
    taps += times;
  };

  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "중형으로 신청하기" }).tap();
  tapped();
  const form = await opened;
  await expect(form.getByLabel("연수차", { exact: true })).toBeChecked();

  const typed = new Set<string>();
  const type = async (label: string, text: string) => {
    expect(typed.has(label)).toBe(false);
    typed.add(label);
    await form.getByLabel(label).tap();
    tapped();
    await expect(form.getByLabel(label)).toHaveValue("");
    await form.getByLabel(label).pressSequentially(text);
  };
  const press = async (label: string) => {
    await form
      .locator("label")
      .filter({ hasText: new RegExp(`^${label}$`) })
      .tap();
    tapped();
  };

  await type("이름", "탭여주");
  await type("전화번호", "01023456789");
  await press("여성");
  await type("나이", "34");
  // A tap opens the list, another one chooses.
  await form.getByLabel("연수 지역").selectOption("여주");
  tapped(2);
  // A tap opens the calendar, one chooses the day, one closes it; the kind of day follows.
  await form.getByLabel("희망 날짜").fill("2027-03-06");
  tapped(3);
  await press("오전");
  await form.locator("[type=submit]").tap();
  tapped();

  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  await expect(form.locator("main")).toContainText("여성/34/여주/2027-03-06/주말/오전/연수차");
  expect(taps).toBeLessThanOrEqual(12);
});
