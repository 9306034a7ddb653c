import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { koreanDay } from "#lib/application/seoul-time.ts";
import { post } from "#testing/client.ts";
import { applications } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson, VALUES } from "#testing/form.ts";
import type { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import type { Site } from "#testing/site.ts";
import { allDelivered, allSent, inDatabase, withSite } from "#testing/site-with-peers.ts";
import { expect, mailSettings, test } from "#testing/test.ts";

let wakes = 0;
/** The server's worker has nothing to do, and would look again after half a minute: a new application wakes it. */
const wake = (site: Site) => apply(site, "mail", `깨우는여주${wakes++}`);

/** Sends an application; returns its number as people read it. */
async function apply(site: Site, route: "sms" | "mail", name: string): Promise<string> {
  const answer = await post(site, route, asJson({ name }));
  return formatApplicationId((await answer.json()).data.applicationId);
}

const byMail = (_: TwilioPeer, smtp: SmtpPeer) => mailSettings(smtp);

const mailsOf = (smtp: SmtpPeer, number: string) =>
  smtp.mails.filter(({ parsed }) => parsed.subject?.includes(number));
const textsOf = (twilio: TwilioPeer, number: string) =>
  twilio.messages.filter(({ body }) => body.includes(number));

test("list and show tell the owner what came, what waits, and why; what was refused goes out at once when the fault is mended", async () => {
  await withSite(
    {},
    async ({ site, smtp }) => {
      smtp.always({ data: "554 5.7.1 no" });
      const number = await apply(site, "mail", "김대기");
      await eventually(async () => (await applications(site, "show", number)).stdout).toContain(
        "거부됨",
      );
      const listed = await applications(site, "list");
      expect(listed.code).toBe(0);
      expect(listed.stdout).toMatch(new RegExp(`${number}  .*대기 .*010-2345-6789 +김대기`));
      expect(listed.stdout).toContain("아직 전달되지 않은 신청 1건");

      const shown = await applications(site, "show", number.toLowerCase().replace("-", ""));
      const day = koreanDay(VALUES.preferredDate);
      for (const part of [number, "김대기", "여성/34", day, "주차가 가장 어려워요.", "거부됨"]) {
        expect(shown.stdout).toContain(part);
      }
      expect(shown.stdout).toMatch(/마지막 오류 +메일 서버가 이 메일의 내용을 거부했습니다\(554\)/);
      expect(shown.stdout).toContain("554 5.7.1 no");

      smtp.always(undefined);
      const resent = await applications(site, "resend", number);
      expect(resent).toMatchObject({ code: 0, stdout: expect.stringContaining("지금 보냅니다") });
      await wake(site);
      await allDelivered(site);
      expect(mailsOf(smtp, number)).toHaveLength(1);
      const after = await applications(site, "show", number);
      expect(after.stdout).toMatch(/상태 +전달됨 \(메일\)/);
    },
    byMail,
  );
});

test("what the owner has is sent once more only with --again, marked, as a message of its own", async () => {
  await withSite({}, async ({ site, smtp, twilio }) => {
    const byMail = await apply(site, "mail", "김메일");
    const bySms = await apply(site, "sms", "김문자");
    await allSent(site);
    // In place of the seconds until Twilio is asked.
    inDatabase(site, "UPDATE jobs SET next_at = 0 WHERE state = 'open'");
    await wake(site);
    await allDelivered(site);
    for (const number of [byMail, bySms]) {
      const refused = await applications(site, "resend", number);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--again") });
      expect((await applications(site, "resend", number, "--again")).code).toBe(0);
    }
    await wake(site);
    await allSent(site);
    // And not a third time.
    expect(mailsOf(smtp, byMail)).toHaveLength(2);
    expect(textsOf(twilio, bySms)).toHaveLength(2);
    const [first, second] = mailsOf(smtp, byMail).map(({ parsed }) => parsed);
    expect(second?.subject).toContain("[다시 보냄]");
    expect(second?.messageId).not.toBe(first?.messageId);
    expect(textsOf(twilio, bySms)[1]?.body).toContain("(다시 보냄)");

    twilio.becomes = { status: "sent" };
    const underway = await apply(site, "sms", "김도중");
    await allSent(site);
    const refused = await applications(site, "resend", underway);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("확인하는 중") });
    expect(textsOf(twilio, underway)).toHaveLength(1);
  });
});

test("test-send sends one marked message, and says what came of it and what to mend", async () => {
  await withSite({}, async ({ site, smtp, twilio }) => {
    const sms = await applications(site, "test-send", "sms");
    const lookFor = /도착했습니다\.\n.*\[국제발신\].*006.*스팸 보관함.*저장/;
    expect(sms).toMatchObject({ code: 0, stdout: expect.stringMatching(lookFor) });
    expect(twilio.messages.map(({ body }) => body.includes("[시험]"))).toEqual([true]);
    const mail = await applications(site, "test-send", "mail");
    expect(mail).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("메일을 받았습니다"),
    });
    expect(smtp.mails.map(({ parsed }) => parsed.subject?.includes("[시험]"))).toEqual([true]);

    twilio.next({ status: 401, code: 20003 });
    const login = await applications(site, "test-send", "sms");
    expect(login.code).toBe(1);
    expect(login.stdout).toContain("인증 토큰 설정");
    expect(login.stdout).not.toContain("국제발신");
    twilio.becomes = { status: "undelivered", code: 30005 };
    const number = await applications(site, "test-send", "sms");
    expect(number).toMatchObject({ code: 1, stdout: expect.stringContaining("받는 번호 설정을") });
    smtp.next({ recipients: { "owner@practice.example": 550 } });
    const address = await applications(site, "test-send", "mail");
    expect(address).toMatchObject({ code: 1, stdout: expect.stringContaining("받는 주소 설정을") });
    await smtp.stop();
    const down = await applications(site, "test-send", "mail");
    expect(down).toMatchObject({ code: 1, stdout: expect.stringContaining("메일 서버의 주소와") });
  });
});

test("export writes a table for Excel, for its owner's eyes, and never over another file; what cannot be done is told in a sentence", async () => {
  await withSite(
    {},
    async ({ site }) => {
      await apply(site, "mail", "=HYPERLINK(1)");
      const file = join(site.dataDir, "table.csv");
      expect((await applications(site, "export", file)).code).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const text = readFileSync(file, "utf8");
      expect(text).toMatch(/^\ufeff"접수번호","접수 시각","이름".*\r\n/);
      expect(text).toContain(`"'=HYPERLINK(1)","010-2345-6789"`);
      const again = await applications(site, "export", file);
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("이미 있어") });
      expect(readFileSync(file, "utf8")).toBe(text);

      const nowhere = await applications(site, "export", join(file, "table.csv"));
      expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOTDIR") });
      const sms = await applications(site, "test-send", "sms");
      expect(sms).toMatchObject({ code: 1, stderr: expect.stringContaining("TWILIO_AUTH_TOKEN") });
      expect((await applications(site, "lists")).code).toBe(2);
      expect((await applications(site, "show", "2222-AAAA")).code).toBe(1);
    },
    () => ({}),
  );
});
