import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { listMails } from "#testing/browser/kept-application.ts";
import { expect, mailSettings, testWithSite as test } from "#testing/browser/test.ts";
import { CANARY, CANARY_TRACES } from "#testing/hostile/canary-person.ts";
import { findFilesContaining } from "#testing/hostile/find-personal-data.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { JSON_HEADERS, postApplication } from "#testing/site/client.ts";
import { runOwnerCommand, runProgram } from "#testing/site/command-line.ts";
import { Site } from "#testing/site/site.ts";
import { countAfterSending } from "#testing/site/site-with-peers.ts";

async function apply(site: Site, name: string): Promise<string> {
  const answer = await postApplication(site, "mail", jsonBody({ name }));
  return formatApplicationId((await answer.json()).data.applicationId);
}

test("`resend` and `forget` work for applications whose delivery failed", async ({ smtp }) => {
  await using site = await Site.start(mailSettings(smtp.mailServer()));
  smtp.always({ data: "554 5.7.1 no" });
  const number = await apply(site, "김대기");
  const keyed = { ...JSON_HEADERS, "idempotency-key": "a-key-of-the-canary" };
  await postApplication(site, "mail", jsonBody(CANARY), keyed);
  await eventually(() => site.log.match(/delivery failed, next attempt/g)).toHaveLength(2);
  expect((await runOwnerCommand(site, "backup")).code).toBe(0);
  expect(findFilesContaining(site.dataDir, CANARY_TRACES).length).toBeGreaterThan(1);
  const { stdout } = await runOwnerCommand(site, "forget", "010 7654 3210");
  expect(stdout).toContain("지운 신청: 1건");
  expect(findFilesContaining(site.dataDir, [...CANARY_TRACES, "a-key-of-the-canary"])).toEqual([]);

  smtp.always(undefined);
  expect((await runOwnerCommand(site, "resend", number)).code).toBe(0);
  // A new application wakes the worker, which otherwise sleeps for up to 5 s.
  await apply(site, "깨우는여주");
  expect(await countAfterSending(site, "김대기")).toBe(1);
  expect(listMails(smtp, number)).toHaveLength(1);
  expect((await runOwnerCommand(site, "show", number)).stdout).toMatch(/상태 +전달됨 \(메일\)/);
});

test("a trial of a version neither sends nor files what waits in its database", async () => {
  await using smtp = new SmtpPeer();
  await smtp.start();
  await using site = await Site.start({
    ...mailSettings(smtp.mailServer()),
    SITE_URL: "https://a.example",
  });
  smtp.always({ sender: "421 4.3.2 later" });
  await apply(site, "기다리는여주");
  const folder = join(site.dataDir, "trial");
  mkdirSync(folder, { mode: 0o700 });
  await site.end("SIGTERM");
  const { attempts } = smtp;
  const { said } = await runProgram("cli/update.ts", ["try", folder, "30"], site);
  expect(said).not.toContain("설정되지 않은 채");
  expect(smtp.attempts).toBe(attempts);
  const copied = { env: { ...site.env, DATA_DIR: folder } };
  expect((await runOwnerCommand(copied, "list")).stdout).toContain("아직 전달되지 않은 신청 1건");
});
