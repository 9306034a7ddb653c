/** The owner's commands while the site runs. cli/applications/commands.test.ts tests their output. */
import { join } from "node:path";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { asJsonBody } from "#testing/browser/form.ts";
import { findMails } from "#testing/browser/queued-application.ts";
import { expect, mailSettings, testWithSite as test } from "#testing/browser/test.ts";
import { CANARY, CANARY_TRACES } from "#testing/hostile/canary-person.ts";
import { findFilesContaining } from "#testing/hostile/personal-data.ts";
import { JSON_HEADERS, post } from "#testing/site/client.ts";
import { runOwnerCommand } from "#testing/site/command-line.ts";
import { Site } from "#testing/site/site.ts";
import { waitUntilSent } from "#testing/site/site-with-peers.ts";

/** Applies on /contact, and returns the application number as it is shown. */
async function apply(site: Site, name: string): Promise<string> {
  const answer = await post(site, "mail", asJsonBody({ name }));
  return formatApplicationId((await answer.json()).data.applicationId);
}

test("resend and forget work on applications whose delivery failed", async ({ smtp }) => {
  await using site = await Site.start(mailSettings(smtp));
  smtp.always({ data: "554 5.7.1 no" });
  const number = await apply(site, "김대기");
  const keyed = { ...JSON_HEADERS, "idempotency-key": "a-key-of-the-canary" };
  await post(site, "mail", asJsonBody(CANARY), keyed);
  await eventually(() => site.log.match(/delivery failed, next run/g)).toHaveLength(2);
  const { stdout: shown } = await runOwnerCommand(site, "show", number);
  expect(shown).toMatch(/마지막 오류 +메일 서버가 이 메일의 내용을 거부했습니다\(554\)/);
  const listed = await runOwnerCommand(site, "list");
  expect(listed.stdout).toMatch(new RegExp(`${number}  .*대기 .*010-2345-6789 +김대기`));
  expect(listed.stdout).toContain("아직 전달되지 않은 신청 2건");
  expect((await runOwnerCommand(site, "backup")).code).toBe(0);
  expect(findFilesContaining(site.dataDir, CANARY_TRACES).length).toBeGreaterThan(1);
  for (const count of [1, 0]) {
    const { stdout } = await runOwnerCommand(site, "forget", "010 7654 3210");
    expect(stdout).toContain(`지운 신청: ${count}건`);
  }
  expect(findFilesContaining(site.dataDir, [...CANARY_TRACES, "a-key-of-the-canary"])).toEqual([]);

  smtp.always(undefined);
  expect((await runOwnerCommand(site, "resend", number)).code).toBe(0);
  // A new application wakes the worker, which otherwise sleeps for up to 5 s.
  await apply(site, "깨우는여주");
  await waitUntilSent(site);
  expect(findMails(smtp, number)).toHaveLength(1);
  expect((await runOwnerCommand(site, "show", number)).stdout).toMatch(/상태 +전달됨 \(메일\)/);
  for (const [words, says] of [
    [["test-send", "sms"], "TWILIO_AUTH_TOKEN"],
    [["export", join(site.dataDir, "applications.db/table.csv")], "ENOTDIR"],
  ] as const)
    expect(await runOwnerCommand(site, ...words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(says),
    });
});
