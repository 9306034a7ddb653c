import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { closeApplication } from "#lib/delivery/resend.ts";
import { DEFAULT_CAPS, type EngineWithPeers, test } from "#testing/delivery/engine-with-peers.ts";

const MONDAY = Date.parse("2026-11-23T00:00:00+09:00");
const NINE = MONDAY + 9 * HOUR;

async function runAt(
  engine: EngineWithPeers,
  time: number,
  channels: Parameters<typeof engine.startWorker>[0] = { mail: engine.openMail() },
) {
  engine.now = time;
  await engine.startWorker(channels, DEFAULT_CAPS, { sendsWeeklySummary: true });
  await engine.runUntilIdle();
}
const weeklies = (engine: EngineWithPeers) =>
  engine.mailSubjects().filter((subject) => subject.startsWith("[주간 소식]"));
const applyAt = async (engine: EngineWithPeers, time: number) => {
  engine.now = time;
  await engine.apply();
};

test("the weekly summary goes out once on Monday at nine", async ({ engine }) => {
  await applyAt(engine, MONDAY - 2 * DAY);
  await runAt(engine, NINE - 1_000);
  expect(weeklies(engine)).toEqual([]);
  engine.now = NINE;
  await engine.startWorker({ mail: engine.openMail() });
  await engine.runUntilIdle();
  expect(weeklies(engine)).toEqual([]);
  for (let times = 0; times < 3; times++) await runAt(engine, NINE + times * MINUTE);
  expect(weeklies(engine)).toEqual(["[주간 소식] 지난주 신청 1건 (11월 16일(월) ~ 11월 22일(일))"]);
});

test("the weekly summaries list every application once despite a wrong clock [97]", async ({
  engine,
}) => {
  // A site that was down on Monday sends the summary until Wednesday at nine.
  await runAt(engine, NINE - 5 * DAY - 1_000);
  expect(weeklies(engine)).toHaveLength(1);
  await applyAt(engine, MONDAY - 3 * DAY);
  // A clock that is some days ahead sends the next summary too early.
  await runAt(engine, NINE + 1_000);
  await applyAt(engine, MONDAY - 2 * DAY);
  await applyAt(engine, MONDAY + DAY);
  await applyAt(engine, MONDAY + 400 * DAY);
  await runAt(engine, NINE + 7 * DAY);
  const listed = engine.smtp.mails
    .filter(({ parsed }) => parsed.subject?.startsWith("[주간 소식]"))
    .flatMap(
      ({ parsed }) => parsed.text?.match(/\b(?=[\d-]*[A-Z])[0-9A-Z]{4}-[0-9A-Z]{4}\b/g) ?? [],
    );
  const oldestFirst = (await engine.store.list({})).toReversed();
  expect(listed).toEqual(oldestFirst.map((each) => formatApplicationId(each.applicationId)));
  expect(listed).toHaveLength(4);
});

test("the weekly summary is a text message if mail is not configured", async ({ engine }) => {
  await runAt(engine, NINE, { sms: engine.openSms() });
  expect(engine.twilio.messages.map(({ body }) => body)).toEqual([
    expect.stringContaining("오늘부터 신청을 알려 드립니다."),
  ]);
  await runAt(engine, NINE + 7 * DAY, {});
  await engine.advance(MINUTE);
  expect(readdirSync(engine.messageFolder)).toEqual(["weekly-summary.eml"]);
});

test("no text about the week goes out beside the weekly mail", async ({ engine }) => {
  await applyAt(engine, MONDAY - 2 * DAY);
  await runAt(engine, NINE - DAY, { sms: engine.openSms(), mail: engine.openMail() });
  const texts = engine.twilio.messages.length;
  engine.smtp.always({ sender: 451 });
  await runAt(engine, NINE, { sms: engine.openSms(), mail: engine.openMail() });
  await engine.advanceInSteps(HOUR);
  engine.smtp.always(undefined);
  await engine.advance(DAY);
  expect(weeklies(engine)).toHaveLength(1);
  // The text about the failing mail server is an alarm.
  const later = engine.twilio.messages.slice(texts).map(({ body }) => body);
  expect(later.filter((body) => !body.startsWith("메일을 보내지 못하고"))).toEqual([]);
});

test("the weekly mail names an older application that nobody called [97]", async ({ engine }) => {
  for (const days of [9, 8, 2]) await applyAt(engine, MONDAY - days * DAY);
  await runAt(engine, NINE - 7 * DAY);
  const [, , first] = await engine.store.list({});
  await closeApplication(engine.store, first?.applicationId ?? "", engine.now);
  await runAt(engine, NINE);
  const [, second] = await engine.store.list({});
  const { text = "" } = engine.smtp.mails.at(-1)?.parsed ?? {};
  expect(text).toContain("그 전 신청 가운데 아직 연락하지 않은 신청 1건");
  expect(text).toContain(formatApplicationId(second?.applicationId ?? ""));
  expect(text).not.toContain(formatApplicationId(first?.applicationId ?? ""));
});

test("the first summary of a new site covers no week before the site", async ({ engine }) => {
  await runAt(engine, NINE + DAY);
  await applyAt(engine, NINE + 2 * DAY);
  // This application arrives on the Monday of the summary, so it belongs to the following week.
  await applyAt(engine, NINE + 7 * DAY - MINUTE / 2);
  for (const weeks of [1, 2]) await runAt(engine, NINE + weeks * 7 * DAY);
  // RETENTION_DAYS may be less than a week.
  await engine.store.deleteExpired(engine.now + 1);
  await runAt(engine, NINE + 21 * DAY);
  expect(weeklies(engine)).toEqual([
    "[주간 소식] 오늘부터 신청을 알려 드립니다.",
    "[주간 소식] 지난주 신청 1건 (11월 23일(월) ~ 11월 29일(일))",
    "[주간 소식] 지난주 신청 1건 (11월 30일(월) ~ 12월 6일(일))",
    "[주간 소식] 지난주 신청 0건 (12월 7일(월) ~ 12월 13일(일))",
  ]);
});

test("a week whose summary failed is part of the next summary [97]", async ({ engine }) => {
  engine.smtp.always({ sender: 451 });
  await applyAt(engine, MONDAY - DAY);
  await runAt(engine, NINE);
  for (let days = 0; days < 2; days++) await engine.advance(DAY);
  engine.smtp.always(undefined);
  await engine.advance(5 * DAY - HOUR);
  expect(weeklies(engine)).toEqual([]);
  await engine.advance(2 * HOUR);
  expect(weeklies(engine)).toEqual([
    "[주간 소식] 지난 2주 신청 1건 (11월 16일(월) ~ 11월 29일(일))",
  ]);
});
