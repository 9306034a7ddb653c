import { findOnDevice } from "#testing/browser/device-storage.ts";
import {
  FORM_URLS,
  fillForm,
  openContact,
  recordPosts,
  SAMPLE_VALUES,
  SUMMARY,
  shownReceipt,
} from "#testing/browser/form.ts";
import {
  answerDialogs,
  expectMailedOnce,
  failServer,
  listMails,
  openContactWithKept,
  REFUSED_HEADERS,
  refusePhone,
  submitIntoOutbox,
} from "#testing/browser/kept-application.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

test("a failed submission with a full storage offers a prefilled text [37]", async ({
  page,
  site,
  smtp,
}) => {
  const client = await page.context().newCDPSession(page);
  await client.send("Storage.overrideQuotaForOrigin", { origin: site.url, quotaSize: 1 });
  const posts = recordPosts(page);
  await failServer(page);
  const form = await openContact(page, site.url);
  const name = "막힌여주";
  await fillForm(form, { name });
  await form.locator("[type=submit]").click();
  const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
  await expect(box).toBeFocused();
  await expect(box).toContainText("HTTP 503: Service Unavailable");
  await expect(box).toContainText("신청은 오프라인 모드로 처리됩니다.");
  await expect(box).toContainText("신청 내용을 문자로 보내 주셔야 접수됩니다.");
  const href = await box.getByRole("link", { name: "문자로 신청하기" }).getAttribute("href");
  expect(href).toMatch(/^sms:01000000000\?&body=/);
  expect(decodeURIComponent(href ?? "")).toContain(SUMMARY);
  await expect(box.getByRole("link", { name: "전화로 신청하기" })).toHaveAttribute("href", /^tel:/);
  await expect(box).toContainText("010-0000-0000");
  await expect(form.getByLabel("이름")).toHaveValue(name);
  await expect(form.getByLabel("남기실 말씀")).toHaveValue(SAMPLE_VALUES.message);
  await expectAccessible(page);

  await page.unroute(FORM_URLS);
  await form.locator("[type=submit]").click();
  await expect(shownReceipt(form)).toBeVisible();
  expect(new Set(posts.map((post) => post.headers()["idempotency-key"])).size).toBe(1);
  await expectMailedOnce(smtp, name);
});

test("a refused application is sent again only after it is taken back [38]", async ({
  page,
  site,
  smtp,
}) => {
  const form = await openContactWithKept(page, site.url, "하나여주");
  for (const name of ["이 화면 계속 보기", "새 신청서 쓰기"])
    await form.getByRole("button", { name }).press("Enter");
  await submitIntoOutbox(form, "고친여주");
  await refusePhone(page);
  await page.goto(`${site.url}/gallery`);
  const noticeBoxes = page.getByRole("status").filter({ hasText: "접수되지 않았습니다" });
  await expect(noticeBoxes.getByText("전화번호를 다시 적어 주세요.")).toHaveCount(2);
  await expectAccessible(page);
  const repeated = recordPosts(page);
  await page.reload();
  await expect(noticeBoxes.getByText("전화번호를 다시 적어 주세요.")).toHaveCount(2);
  expect(repeated).toEqual([]);

  await page.unroute(FORM_URLS);
  await openContact(page, site.url);
  await form.getByLabel("이름").fill("초안여주");
  await page.goto(`${site.url}/gallery`);
  await page.setViewportSize({ width: 320, height: 844 });
  let isSure = false;
  const questions = answerDialogs(page, () => isSure);
  const edit = noticeBoxes.getByRole("link", { name: "고치기" }).nth(1);
  await edit.click();
  await expect(page).toHaveURL(`${site.url}/gallery`);
  isSure = true;
  await edit.click();
  await expect(page).toHaveURL(`${site.url}/contact#form`);
  expect(questions).toHaveLength(2);
  await expect(form.getByLabel("전화번호")).toBeFocused();
  await expect(form.getByRole("link", { name: "고치기" })).toHaveCount(1);
  // The notice box above the form has disappeared, and the field's label must stay below the top bar.
  const label = form.locator("label").filter({ hasText: "전화번호" });
  expect((await label.boundingBox())?.y).toBeGreaterThan(60);
  await expect(form.getByLabel("이름")).toHaveValue("고친여주");
  // axe reports a link as too small if the top bar covers half of the link.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await form.getByLabel("전화번호").fill("010-8765-4321");
  await form.locator("[type=submit]").click();
  await expect(shownReceipt(form)).toBeVisible();
  expect(repeated).toHaveLength(1);
  await expectMailedOnce(smtp, "고친여주");
  expect(listMails(smtp, "고친여주")[0]?.parsed.text).toContain("010-8765-4321");
  expect(await findOnDevice(page, ["고친여주", "초안여주"])).toEqual([]);

  await form.getByRole("link", { name: "고치기" }).click();
  await expect(form.getByLabel("이름")).toHaveValue("하나여주");
  await form.getByLabel("전화번호").fill("010-1111-2222");
  await page.reload();
  await expect(form.getByLabel("전화번호")).toHaveValue("010-1111-2222");
});

test("a notice box shows the reason of a refusal that names no field [38]", async ({
  page,
  site,
}) => {
  const reason = "이 화면에서는 신청서를 보낼 수 없습니다.";
  await openContactWithKept(page, site.url, "막은여주");
  await page.route(FORM_URLS, (route) =>
    route.fulfill({
      status: 403,
      headers: REFUSED_HEADERS,
      json: { success: false, message: reason },
    }),
  );
  await page.goto(`${site.url}/gallery`);
  const noticeBox = page.getByRole("status").filter({ hasText: "접수되지 않았습니다" });
  await expect(noticeBox).toContainText(reason);
  await expect(noticeBox).not.toContainText("고치신 뒤");
});

test("two tabs that send one application show one number [36]", async ({ page, site, smtp }) => {
  const form = await openContactWithKept(page, site.url, "둘이여주");
  await form.getByRole("button", { name: "이 화면 계속 보기" }).press("Enter");
  const other = await page.context().newPage();
  const requests = [page, other].map((each) => each.waitForRequest(FORM_URLS));
  const answers = Promise.withResolvers<void>();
  for (const each of [page, other])
    await each.route(FORM_URLS, (route) => answers.promise.then(() => route.continue()));
  await other.goto(`${site.url}/pricing`);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  const [one, another] = await Promise.all(requests);
  expect(one?.headers()["idempotency-key"]).toBe(another?.headers()["idempotency-key"]);
  answers.resolve();
  const heading = shownReceipt(form);
  await expect(heading).toBeVisible();
  const number = (await form.locator("dl dd").first().textContent()) ?? "?";
  await expect(other.getByRole("status").filter({ hasText: number })).toBeVisible();
  await expectMailedOnce(smtp, "둘이여주");
});
