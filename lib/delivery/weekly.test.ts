import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import {
  advanceClock,
  advanceClockInSteps,
  DEFAULT_CAPS,
  mailSubjects,
  messageFolder,
  now,
  openTestMail,
  openTestSms,
  runUntilIdle,
  setClock,
  smtp,
  startWorker,
  storeApplication,
  testDatabase,
  twilio,
} from "#testing/delivery/engine-with-peers.ts";

const MONDAY = Date.parse("2026-11-23T00:00:00+09:00");
const NINE = MONDAY + 9 * HOUR;

async function runAt(
  time: number,
  channels: Parameters<typeof startWorker>[0] = { mail: openTestMail() },
) {
  setClock(time);
  await startWorker(channels, DEFAULT_CAPS, { sendsWeeklySummary: true });
  await runUntilIdle();
}
const weeklies = () => mailSubjects().filter((subject) => subject.startsWith("[주간 소식]"));
const counts = () => twilio.messages.map(({ body }) => body).filter((body) => /^지난/.test(body));
const applyAt = async (time: number) => {
  setClock(time);
  await storeApplication();
};

test("the weekly summary goes out once on Monday at nine", async () => {
  await applyAt(MONDAY - 2 * DAY);
  await runAt(NINE - 1_000);
  expect(weeklies()).toEqual([]);
  setClock(NINE);
  await startWorker({ mail: openTestMail() });
  await runUntilIdle();
  expect(weeklies()).toEqual([]);
  for (let times = 0; times < 3; times++) await runAt(NINE + times * MINUTE);
  expect(weeklies()).toEqual(["[주간 소식] 지난주 신청 1건 (11월 16일(월) ~ 11월 22일(일))"]);
});

test("the weekly summaries list every application once despite a wrong clock", async () => {
  // A site that was down on Monday sends the summary until Wednesday at nine.
  await runAt(NINE - 5 * DAY - 1_000);
  expect(weeklies()).toHaveLength(1);
  await applyAt(MONDAY - 3 * DAY);
  // A clock that is some days ahead sends the next summary too early.
  await runAt(NINE + 1_000);
  await applyAt(MONDAY - 2 * DAY);
  await applyAt(MONDAY + DAY);
  await applyAt(MONDAY + 400 * DAY);
  await runAt(NINE + 7 * DAY);
  const listed = smtp.mails
    .filter(({ parsed }) => parsed.subject?.startsWith("[주간 소식]"))
    .flatMap(
      ({ parsed }) => parsed.text?.match(/\b(?=[\d-]*[A-Z])[0-9A-Z]{4}-[0-9A-Z]{4}\b/g) ?? [],
    );
  const oldestFirst = (await testDatabase.store.list({})).toReversed();
  expect(listed).toEqual(oldestFirst.map((each) => formatApplicationId(each.applicationId)));
  expect(listed).toHaveLength(4);
});

test("the weekly summary is a text message if mail is not configured", async () => {
  await runAt(NINE, { sms: openTestSms() });
  expect(twilio.messages.map(({ body }) => body)).toEqual([
    expect.stringContaining("오늘부터 신청을 알려 드립니다."),
  ]);
  await runAt(NINE + 7 * DAY, {});
  await advanceClock(MINUTE);
  expect(readdirSync(messageFolder())).toEqual(["weekly-summary.eml"]);
});

test("a text with the weekly count accompanies the weekly mail", async () => {
  await applyAt(MONDAY - 2 * DAY);
  await runAt(NINE - DAY, { sms: openTestSms(), mail: openTestMail() });
  smtp.always({ sender: 451 });
  await runAt(NINE, { sms: openTestSms(), mail: openTestMail() });
  await advanceClockInSteps(10 * MINUTE);
  expect(counts()).toEqual([expect.stringContaining("지난주 신청 1건(문자 1)")]);
  expect(counts()[0]?.length).toBeLessThanOrEqual(70);
  smtp.always(undefined);
  await advanceClock(DAY);
  expect(weeklies()).toHaveLength(1);
  expect(counts()).toHaveLength(1);
});

test("the first summary of a new site covers no week before the site", async () => {
  await runAt(NINE + DAY);
  await applyAt(NINE + 2 * DAY);
  // This application arrives on the Monday of the summary, so it belongs to the following week.
  await applyAt(NINE + 7 * DAY - MINUTE / 2);
  for (const weeks of [1, 2]) await runAt(NINE + weeks * 7 * DAY);
  // RETENTION_DAYS may be less than a week.
  await testDatabase.store.deleteExpired(now + 1);
  await runAt(NINE + 21 * DAY);
  expect(weeklies()).toEqual([
    "[주간 소식] 오늘부터 신청을 알려 드립니다.",
    "[주간 소식] 지난주 신청 1건 (11월 23일(월) ~ 11월 29일(일))",
    "[주간 소식] 지난주 신청 1건 (11월 30일(월) ~ 12월 6일(일))",
    "[주간 소식] 지난주 신청 0건 (12월 7일(월) ~ 12월 13일(일))",
  ]);
});

test("a week whose summary failed is part of the next summary", async () => {
  smtp.always({ sender: 451 });
  await applyAt(MONDAY - DAY);
  await runAt(NINE);
  for (let days = 0; days < 2; days++) await advanceClock(DAY);
  smtp.always(undefined);
  await advanceClock(5 * DAY - HOUR);
  expect(weeklies()).toEqual([]);
  await advanceClock(2 * HOUR);
  expect(weeklies()).toEqual(["[주간 소식] 지난 2주 신청 1건 (11월 16일(월) ~ 11월 29일(일))"]);
});
