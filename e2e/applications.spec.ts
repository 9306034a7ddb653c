import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { numberIn } from "#testing/application-number.ts";
import { eventually } from "#testing/eventually.ts";
import { fillForm, openContact, openDialog } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

test("an application that was just acknowledged survives the killing of the server", async ({
  page,
  site,
  smtp,
}) => {
  // The owner's mail server defers, so that nothing can have been delivered before the kill.
  smtp.always({ sender: 451 });
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "살아남은여주" });
  await form.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  await site.end("SIGKILL");
  smtp.always(undefined);
  const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("살아남은여주"));
  expect(mine()).toHaveLength(0);
  await site.startAgain();
  await eventually(() => mine().length, { timeout: 30_000 }).toBe(1);
});

test("with nothing configured both forms end with a number and a message file", async ({
  page,
}) => {
  const site = await Site.start();
  try {
    const dialog = await openDialog(page, site.url);
    await fillForm(dialog, { name: "파일문자" });
    await dialog.getByRole("button", { name: "신청서 보내기" }).click();
    const toast = page.getByRole("status").filter({ hasText: "성공적으로 접수되었습니다" });
    const sms = numberIn(await toast.textContent());

    const form = await openContact(page, site.url);
    await fillForm(form, { name: "파일메일" });
    await form.getByRole("button", { name: "신청서 보내기" }).click();
    await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
    const mail = numberIn(await form.textContent());

    const outbox = join(site.dataDir, "outbox");
    // A file that is still being written has another ending.
    const files = async () =>
      (await readdir(outbox).catch(() => [])).filter((file) => /\.(txt|eml)$/.test(file));
    await eventually(async () => (await files()).length).toBe(2);
    for (const [number, ending, name] of [
      [sms, ".txt", "파일문자"],
      [mail, ".eml", undefined],
    ] as const) {
      const file = (await files()).find((candidate) => candidate.endsWith(ending)) ?? "";
      expect(file).toContain(number);
      const content = await readFile(join(outbox, file), "utf8");
      if (name) expect(content).toContain(name);
    }
    expect(site.log).toContain("data/outbox".split("/")[1]);
    for (const personal of ["파일문자", "파일메일", "2345-6789", "1023456789", "부탁드립니다"]) {
      expect(site.log).not.toContain(personal);
    }
  } finally {
    await page.close();
    await site.stop();
  }
});
