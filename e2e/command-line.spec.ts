/** The owner's commands while the site runs. cli/applications/commands.test.ts tests what each prints. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { asJson } from "#testing/browser/form.ts";
import { findMails, findTexts } from "#testing/browser/queued-application.ts";
import { expect, mailSettings, withSite as test } from "#testing/browser/test.ts";
import { CANARY, CANARY_TRACES } from "#testing/hostile/canary-person.ts";
import { findFilesContaining } from "#testing/hostile/personal-data.ts";
import { JSON_TYPE, post } from "#testing/site/client.ts";
import { applications } from "#testing/site/command-line.ts";
import { Site } from "#testing/site/site.ts";
import { waitUntilSent } from "#testing/site/site-with-peers.ts";

let wakes = 0;
/** Wakes the worker by a new application: an idle one sleeps for up to 5 s. */
const wakeWorker = (site: Site) => apply(site, "mail", `깨우는여주${wakes++}`);

/** Sends an application; returns its number in the displayed form. */
async function apply(site: Site, route: "sms" | "mail", name: string): Promise<string> {
  const answer = await post(site, route, asJson({ name }));
  return formatApplicationId((await answer.json()).data.applicationId);
}

test("resend and forget work on applications whose delivery failed", async ({ smtp }) => {
  await using site = await Site.start(mailSettings(smtp));
  smtp.always({ data: "554 5.7.1 no" });
  const number = await apply(site, "mail", "김대기");
  const keyed = { ...JSON_TYPE, "idempotency-key": "a-key-of-the-canary" };
  await post(site, "mail", asJson(CANARY), keyed);
  await eventually(() => site.log.match(/delivery failed, next run/g)).toHaveLength(2);
  const { stdout: shown } = await applications(site, "show", number);
  expect(shown).toMatch(/마지막 오류 +메일 서버가 이 메일의 내용을 거부했습니다\(554\)/);
  const listed = await applications(site, "list");
  expect(listed.stdout).toMatch(new RegExp(`${number}  .*대기 .*010-2345-6789 +김대기`));
  expect(listed.stdout).toContain("아직 전달되지 않은 신청 2건");
  expect((await applications(site, "backup")).code).toBe(0);
  expect(findFilesContaining(site.dataDir, CANARY_TRACES).length).toBeGreaterThan(1);
  for (const count of [1, 0]) {
    const { stdout } = await applications(site, "forget", "010 7654 3210");
    expect(stdout).toContain(`지운 신청: ${count}건`);
  }
  expect(findFilesContaining(site.dataDir, [...CANARY_TRACES, "a-key-of-the-canary"])).toEqual([]);

  smtp.always(undefined);
  expect((await applications(site, "resend", number)).code).toBe(0);
  await wakeWorker(site);
  await waitUntilSent(site);
  expect(findMails(smtp, number)).toHaveLength(1);
  expect((await applications(site, "show", number)).stdout).toMatch(/상태 +전달됨 \(메일\)/);
  const sms = await applications(site, "test-send", "sms");
  expect(sms).toMatchObject({ code: 1, stderr: expect.stringContaining("TWILIO_AUTH_TOKEN") });
});

test("resend sends a delivered application again only with --again", async ({
  site,
  smtp,
  twilio,
}) => {
  twilio.becomes = { status: "sent" };
  const byMail = await apply(site, "mail", "김메일");
  const bySms = await apply(site, "sms", "김문자");
  await waitUntilSent(site);
  const refused = await applications(site, "resend", bySms);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("확인하고 있습니다") });
  twilio.becomes = { status: "delivered" };
  for (const number of [byMail, bySms])
    expect((await applications(site, "resend", number, "--again")).code).toBe(0);
  await wakeWorker(site);
  await waitUntilSent(site);
  // The worker must not send a third message.
  const [first, second, ...others] = findMails(smtp, byMail).map(({ parsed }) => parsed);
  expect(others).toEqual([]);
  expect(second?.subject).toContain("[다시 보냄]");
  expect(second?.messageId).not.toBe(first?.messageId);
  const texts = () => findTexts(twilio, bySms).map(({ body }) => body);
  const again = "(다시 보냄)";
  await eventually(texts).toEqual([
    expect.not.stringContaining(again),
    expect.stringContaining(again),
  ]);
});

test("test-send reports the outcome of one marked message", async ({ site, smtp, twilio }) => {
  for (const [channel, says] of [
    ["sms", /도착했습니다\.\n.*\[국제발신\].*006.*스팸 보관함.*저장/],
    ["mail", /메일을 받았습니다/],
  ] as const) {
    const sent = await applications(site, "test-send", channel);
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringMatching(says) });
  }
  expect(findTexts(twilio, "[시험]")).toHaveLength(1);
  expect(findMails(smtp, "[시험]")).toHaveLength(1);

  twilio.next({ status: 401, code: 20003 });
  const login = await applications(site, "test-send", "sms");
  expect(login).toMatchObject({ code: 1, stdout: expect.stringContaining("인증 토큰이 맞는지") });
  expect(login.stdout).not.toMatch(/국제발신|도착했습니다/);
  smtp.next({ recipients: { "owner@practice.example": 550 } });
  const address = await applications(site, "test-send", "mail");
  expect(address).toMatchObject({ code: 1, stdout: expect.stringContaining("받는 주소 설정을") });
  expect(address.stdout).not.toContain("메일을 받았습니다");
});

test("export writes its spreadsheet only to a new private file", async ({ site }) => {
  const file = join(site.dataDir, "table.csv");
  expect((await applications(site, "export", file)).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^\ufeff"접수번호","접수 시각","이름".*\r\n/);
  for (const [words, says] of [
    [["export", file], "이미 있어"],
    [["export", join(file, "table.csv")], "ENOTDIR"],
    [["show", "2222-AAAA"], "그런 접수번호의 신청이 없습니다"],
  ] as const) {
    const refused = await applications(site, ...words);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
  }
  expect(readFileSync(file, "utf8")).toBe(text);
});
