import { findOnDevice } from "#testing/browser/device-storage.ts";
import {
  fillByHand,
  fillForm,
  openContact,
  openDialog,
  SAMPLE_VALUES,
  SUMMARY,
  shownReceipt,
} from "#testing/browser/form.ts";
import {
  expectMailedOnce,
  expectTextedOnce,
  listTexts,
  refusePhone,
} from "#testing/browser/kept-application.ts";
import {
  ACADEMY_REGISTRATION_PATTERN,
  CALLBACK_PROMISE,
  expect,
  expectAccessible,
  test,
} from "#testing/browser/test.ts";
import { extractApplicationNumber } from "#testing/site/application-numbers.ts";
import { countAfterSending } from "#testing/site/site-with-peers.ts";

test("the dialog sends one text with the number of the toast and the receipt", async ({
  page,
  site,
  twilio,
}) => {
  const dialog = await openDialog(page, site.url);
  await expect(dialog.locator("form")).toHaveText(ACADEMY_REGISTRATION_PATTERN);
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
  expect(await countAfterSending(site, "문자여주")).toBe(1);
  expect(listTexts(twilio, number)).toHaveLength(1);

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

test("the contact form sends one mail with the receipt's number", async ({ page, site, smtp }) => {
  const form = await openContact(page, site.url);
  await expect(form.locator("form")).toHaveText(ACADEMY_REGISTRATION_PATTERN);
  await expect(form.locator("header")).toContainText(CALLBACK_PROMISE);
  await fillByHand(form, { name: "메일여주", phone: "82 10ㅡ2345ㅡ6789" });
  await form.getByRole("button", { name: "신청서 보내기" }).click();
  const heading = shownReceipt(form);
  await expect(heading).toBeFocused();
  // The panel closes after three seconds, so the test reads all of its text at once.
  const shown = (await form.textContent()) ?? "";
  await expectAccessible(page);
  for (const part of [SUMMARY, "번호(010-2345-6789)로"]) expect(shown).toContain(part);
  expect(shown.split(CALLBACK_PROMISE)).toHaveLength(3);
  const number = extractApplicationNumber(shown);

  await expectMailedOnce(smtp, number);

  await expect(heading).toBeHidden();
  await expect(form.getByLabel("이름")).toHaveValue("");
  const receipt = form.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toContainText(number);
  await expectAccessible(page);
  const other = await page.context().newPage();
  await other.goto(site.url);
  await page.reload();
  await expect(receipt).toContainText(number);
  await page.goto(`${site.url}/gallery`);
  await page.goto(`${site.url}/contact`);
  await expect(receipt).toContainText(number);
  // A link to the form shows the form's heading first, and must not scroll the receipt out of view.
  const title = await form.getByRole("heading", { name: "연수 신청서" }).boundingBox();
  const [box, first] = [await receipt.boundingBox(), await form.getByLabel("이름").boundingBox()];
  expect(title?.y).toBeLessThan(box?.y ?? 0);
  expect(box?.y).toBeLessThan(first?.y ?? 0);
  await expect(other.getByText(number)).toBeVisible();
  await receipt.getByRole("button", { name: "닫기" }).click();
  await expect(receipt).toHaveCount(0);
  await expect(other.getByText(number)).toHaveCount(0);
  await other.close();
  expect(await findOnDevice(page, [number.replace("-", "")])).toEqual([]);
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await page.reload();
  await expect(form.getByLabel("이름")).toBeVisible();
  await expect(receipt).toHaveCount(0);
});

test("a refusal by the server focuses the invalid field", async ({ page, site, quiet }) => {
  quiet(/Failed to load resource/);
  await refusePhone(page);
  const form = await openContact(page, site.url);
  await fillForm(form);
  await form.getByRole("button", { name: "신청서 보내기" }).click();
  const box = form.getByRole("alert").filter({ hasText: "아직 접수되지 않았습니다." });
  await expect(box).toContainText("표시된 항목을 고쳐서 다시 보내 주세요.");
  await expect(page.getByText(/오프라인|이 기기/)).toHaveCount(0);
  const phone = form.getByLabel("전화번호");
  await expect(phone).toHaveAttribute("aria-invalid", "true");
  await expect(phone).toBeFocused();
  const [summary, name] = [await box.boundingBox(), await form.getByLabel("이름").boundingBox()];
  expect(summary?.y).toBeLessThan(name?.y ?? 0);
  await form.getByLabel("이름").focus();
  await box.getByRole("link", { name: "전화번호를 다시 적어 주세요." }).click();
  await expect(phone).toBeFocused();
  await expect(form.getByLabel("이름")).toHaveValue(SAMPLE_VALUES.name);
  await expectAccessible(page);
});

test("a tap where the bottom bar reappears still selects the option", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  await form.getByLabel("전화번호").focus();
  const tile = form.locator("label").filter({ hasText: /^여성$/ });
  await tile.evaluate((element) => element.scrollIntoView({ block: "end" }));
  const box = await tile.boundingBox();
  if (!box) throw new Error("the tile is not shown");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { delay: 150 });
  await expect(form.getByLabel("여성")).toBeChecked();
  await expect(page.locator(".bottom-bar")).toBeVisible();
});
