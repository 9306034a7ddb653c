import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { closeApplication } from "#lib/delivery/resend.ts";
import { DEFAULT_CAPS, type DeliveryRig, test } from "#testing/delivery/rig.ts";

const MONDAY = Date.parse("2026-11-23T00:00:00+09:00");
const NINE = MONDAY + 9 * HOUR;

async function runAt(
  rig: DeliveryRig,
  time: number,
  channels: Parameters<typeof rig.restartWorker>[0] = { mail: rig.openMail() },
) {
  rig.now = time;
  await rig.restartWorker(channels, DEFAULT_CAPS, { sendsWeeklySummary: true });
  await rig.runUntilIdle();
}
const weeklySubjects = (rig: DeliveryRig) =>
  rig.mailSubjects().filter((subject) => subject.startsWith("[주간 소식]"));
const applyAt = async (rig: DeliveryRig, time: number) => {
  rig.now = time;
  await rig.apply();
};

test("the weekly summary goes out once on Monday at nine", async ({ rig }) => {
  await applyAt(rig, MONDAY - 2 * DAY);
  await runAt(rig, NINE - 1_000);
  expect(weeklySubjects(rig)).toEqual([]);
  rig.now = NINE;
  await rig.restartWorker({ mail: rig.openMail() });
  await rig.runUntilIdle();
  expect(weeklySubjects(rig)).toEqual([]);
  for (let times = 0; times < 3; times++) await runAt(rig, NINE + times * MINUTE);
  expect(weeklySubjects(rig)).toEqual([
    "[주간 소식] 지난주 신청 1건 (11월 16일(월) ~ 11월 22일(일))",
  ]);
});

test("the weekly summaries list every application once despite a wrong clock [97]", async ({
  rig,
}) => {
  // A site that was down on Monday sends the summary until Wednesday at nine.
  await runAt(rig, NINE - 5 * DAY - 1_000);
  expect(weeklySubjects(rig)).toHaveLength(1);
  await applyAt(rig, MONDAY - 3 * DAY);
  // A clock that is some days ahead sends the next summary too early.
  await runAt(rig, NINE + 1_000);
  await applyAt(rig, MONDAY - 2 * DAY);
  await applyAt(rig, MONDAY + DAY);
  await applyAt(rig, MONDAY + 400 * DAY);
  await runAt(rig, NINE + 7 * DAY);
  const listed = rig.smtp.mails
    .filter(({ parsed }) => parsed.subject?.startsWith("[주간 소식]"))
    .flatMap(
      ({ parsed }) => parsed.text?.match(/\b(?=[\d-]*[A-Z])[0-9A-Z]{4}-[0-9A-Z]{4}\b/g) ?? [],
    );
  const oldestFirst = (await rig.store.list({})).toReversed();
  expect(listed).toEqual(oldestFirst.map((each) => formatApplicationId(each.applicationId)));
  expect(listed).toHaveLength(4);
});

test("the weekly summary is a text without mail, and a file without any channel", async ({
  rig,
}) => {
  await runAt(rig, NINE, { sms: rig.openSms() });
  expect(rig.twilio.messages.map(({ body }) => body)).toEqual([
    expect.stringContaining("오늘부터 신청을 알려 드립니다."),
  ]);
  await runAt(rig, NINE + 7 * DAY, {});
  await rig.advance(MINUTE);
  expect(readdirSync(rig.messageFolder)).toEqual(["weekly-summary.eml"]);
});

test("no text about the week goes out beside the weekly mail", async ({ rig }) => {
  await applyAt(rig, MONDAY - 2 * DAY);
  await runAt(rig, NINE - DAY, { sms: rig.openSms(), mail: rig.openMail() });
  const texts = rig.twilio.messages.length;
  rig.smtp.always({ sender: 451 });
  await runAt(rig, NINE, { sms: rig.openSms(), mail: rig.openMail() });
  await rig.advanceInSteps(HOUR);
  rig.smtp.always(undefined);
  await rig.advance(DAY);
  expect(weeklySubjects(rig)).toHaveLength(1);
  // The text about the failing mail server is an alarm.
  const later = rig.twilio.messages.slice(texts).map(({ body }) => body);
  expect(later.filter((body) => !body.startsWith("메일을 보내지 못하고"))).toEqual([]);
});

test("the weekly mail names an older application whose applicant is uncalled [97]", async ({
  rig,
}) => {
  for (const days of [9, 8, 2]) await applyAt(rig, MONDAY - days * DAY);
  await runAt(rig, NINE - 7 * DAY);
  const [, , first] = await rig.store.list({});
  await closeApplication(rig.store, first?.applicationId ?? "", rig.now);
  await runAt(rig, NINE);
  const [, second] = await rig.store.list({});
  const { text = "" } = rig.smtp.mails.at(-1)?.parsed ?? {};
  expect(text).toContain("그 전 신청 가운데 아직 연락하지 않은 신청 1건");
  expect(text).toContain(formatApplicationId(second?.applicationId ?? ""));
  expect(text).not.toContain(formatApplicationId(first?.applicationId ?? ""));
});

test("the first summary of a new site covers no week before the site", async ({ rig }) => {
  await runAt(rig, NINE + DAY);
  await applyAt(rig, NINE + 2 * DAY);
  // This application arrives on the Monday of the summary, so it belongs to the following week.
  await applyAt(rig, NINE + 7 * DAY - MINUTE / 2);
  for (const weeks of [1, 2]) await runAt(rig, NINE + weeks * 7 * DAY);
  // RETENTION_DAYS may be less than a week.
  await rig.store.deleteExpired(rig.now + 1);
  await runAt(rig, NINE + 21 * DAY);
  expect(weeklySubjects(rig)).toEqual([
    "[주간 소식] 오늘부터 신청을 알려 드립니다.",
    "[주간 소식] 지난주 신청 1건 (11월 23일(월) ~ 11월 29일(일))",
    "[주간 소식] 지난주 신청 1건 (11월 30일(월) ~ 12월 6일(일))",
    "[주간 소식] 지난주 신청 0건 (12월 7일(월) ~ 12월 13일(일))",
  ]);
});

test("a week whose summary failed is part of the next summary [97]", async ({ rig }) => {
  rig.smtp.always({ sender: 451 });
  await applyAt(rig, MONDAY - DAY);
  await runAt(rig, NINE);
  for (let days = 0; days < 2; days++) await rig.advance(DAY);
  rig.smtp.always(undefined);
  await rig.advance(5 * DAY - HOUR);
  expect(weeklySubjects(rig)).toEqual([]);
  await rig.advance(2 * HOUR);
  expect(weeklySubjects(rig)).toEqual([
    "[주간 소식] 지난 2주 신청 1건 (11월 16일(월) ~ 11월 29일(일))",
  ]);
});
