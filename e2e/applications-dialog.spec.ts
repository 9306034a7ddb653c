import { fillByHand, openDialog, shownReceipt } from "#testing/browser/form.ts";
import { expectTextedOnce, findTexts } from "#testing/browser/kept-application.ts";
import {
  ACADEMY_REGISTRATION_TEXT,
  CALLBACK_PROMISE,
  expect,
  expectAccessible,
  test,
} from "#testing/browser/test.ts";
import { extractApplicationNumber } from "#testing/site/application-numbers.ts";
import { countSent } from "#testing/site/site-with-peers.ts";

test("the dialog sends one SMS with the number in the toast", async ({ page, site, twilio }) => {
  const dialog = await openDialog(page, site.url);
  await expect(dialog.locator("form")).toHaveText(ACADEMY_REGISTRATION_TEXT);
  await expectAccessible(page);
  await fillByHand(dialog, { name: "문자여주" });
  await dialog.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(dialog).toBeHidden();
  const toast = shownReceipt(page);
  await expect(toast).toContainText(CALLBACK_PROMISE);
  // The toast closes while axe still runs, so the test reads the number first.
  const number = extractApplicationNumber(await toast.textContent());
  await expectAccessible(page);

  await expectTextedOnce(twilio, number);
  const [text] = findTexts(twilio, number);
  expect(text).toMatchObject({ to: "+821099990000", from: "+82215880000" });
  expect(text?.body).toMatch(/문자여주\n010-2345-6789/);
  expect(await countSent(site, "문자여주")).toBe(1);
  expect(findTexts(twilio, number)).toHaveLength(1);

  await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
  await expect(dialog.getByLabel("이름")).toHaveValue("");
  await page.keyboard.press("Escape");

  await page.reload();
  const receipt = page.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toContainText(number);
  await expect(receipt).toContainText(CALLBACK_PROMISE);
  const opener = page.getByRole("link", { name: "신청서 쓰기", exact: true });
  const [above, below] = [await opener.boundingBox(), await receipt.boundingBox()];
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThan(0);
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeLessThan(48);
  await expectAccessible(page);
  await receipt.getByRole("button", { name: "닫기" }).click();
  await expect(receipt).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
});
