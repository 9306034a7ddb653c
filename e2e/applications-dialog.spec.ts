import { numberIn } from "#testing/application-number.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillByHand, fillForm, openDialog, SUMMARY, VALUES } from "#testing/form.ts";
import { sentUnder } from "#testing/site-with-peers.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

test("the dialog brings one text message, a toast, then a receipt", async ({
  page,
  site,
  twilio,
}) => {
  const dialog = await openDialog(page, site.url);
  await expectAccessible(page);
  await fillByHand(dialog, { name: "문자여주" });
  await dialog.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(dialog).toBeHidden();
  const toast = page
    .getByRole("status")
    .filter({ hasText: "연수 신청이 성공적으로 접수되었습니다!" });
  await expect(toast).toBeVisible();
  await expectAccessible(page);
  const number = numberIn(await toast.textContent());

  const mine = () => twilio.messages.filter((message) => message.body.includes(number));
  await eventually(() => mine().length).toBe(1);
  expect(mine()[0]?.body).toContain("문자여주");
  expect(mine()[0]?.body).toContain("010-2345-6789");
  expect(await sentUnder(site, "문자여주")).toBe(1);
  expect(mine()).toHaveLength(1);

  await page.getByRole("link", { name: "신청하기", exact: true }).click();
  await expect(dialog.getByLabel("이름")).toHaveValue("");
  await page.keyboard.press("Escape");

  // The toast goes; the receipt stays at the top of the page, also after a reload.
  await page.reload();
  const receipt = page.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toContainText(number);
  await expectAccessible(page);
  await receipt.getByRole("button", { name: "닫기" }).click();
  await expect(receipt).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
});

test("the dialog stays open with its values when the server fails, and the same application goes out on the next press", async ({
  page,
  site,
  twilio,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
  });
  await page.route(API, (route) => route.fulfill({ status: 500, body: "oops" }));
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog, { name: "다시여주" });
  await dialog.getByRole("button", { name: "신청서 보내기" }).click();
  const alert = dialog
    .getByRole("alert")
    .filter({ hasText: "연수 신청 처리 중 오류가 발생했습니다. 다시 시도해 주세요." });
  await expect(alert).toBeFocused();
  const text = alert.getByRole("link", { name: /문자로 신청하기/ });
  expect(decodeURIComponent((await text.getAttribute("href")) ?? "")).toContain(SUMMARY);
  await expectAccessible(page);
  await expect(dialog.getByLabel("이름")).toHaveValue("다시여주");
  await expect(dialog.getByLabel("남기실 말씀")).toHaveValue(VALUES.message);

  await page.unroute(API);
  await dialog.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(dialog).toBeHidden();
  expect(keys.length).toBeGreaterThanOrEqual(2);
  expect(new Set(keys).size).toBe(1);
  const mine = () => twilio.messages.filter(({ body }) => body.includes("다시여주"));
  await eventually(() => mine().length).toBe(1);
});
