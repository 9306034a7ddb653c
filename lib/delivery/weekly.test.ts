/** The Monday summary against a real store, a mail server and a Twilio, with a clock that the tests move. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { summaryWeek } from "#lib/application/weekly-summary.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/open.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { sendWeeklySummary } from "#lib/delivery/weekly.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { Store } from "#lib/storage/store.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { aNewApplication, type TemporaryStore, temporaryStore } from "#testing/temporary-store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const seoul = (text: string) => Date.parse(`${text}+09:00`);
const MONDAY = seoul("2026-11-23T00:00:00");

let home: TemporaryStore;
let smtp: SmtpPeer;
let twilio: TwilioPeer;
let now: number;

beforeEach(async () => {
  home = temporaryStore();
  smtp = new SmtpPeer();
  twilio = new TwilioPeer();
  await Promise.all([smtp.start(), twilio.start()]);
});
afterEach(async () => {
  await Promise.all([smtp.stop(), twilio.stop()]);
  await home[Symbol.asyncDispose]();
});

const mail = () =>
  openMailChannel({
    smtpUrl: smtp.url,
    from: "site@practice.example",
    to: ["owner@practice.example"],
  });
const sms = () =>
  openSmsChannel(
    {
      ...TWILIO_ACCOUNT,
      sender: { from: "+12025550100" },
      to: ["+821099990000"],
      apiUrl: twilio.url,
    },
    () => now,
  );

const nowhere = () => ({
  folder: join(home.folder, "outbox"),
  mail: { from: "site@localhost", to: ["owner@localhost"] },
});

/** One turn of a worker at this time. */
async function turn(
  at: number,
  channels: Partial<Channels>,
  {
    store = home.store,
    caps = { hourly: 30, daily: 100 },
  }: { store?: Store; caps?: typeof CAPS } = {},
) {
  now = at;
  const file = openFileChannel(nowhere());
  const needs = { store, channels: { file, ...channels }, caps, now: () => now, random: () => 0 };
  await sendWeeklySummary(needs, new AbortController().signal);
}
const CAPS = { hourly: 30, daily: 100 };

const apply = (at: number, name = "홍길동") => {
  const application = { ...aNewApplication().application, name };
  return home.store.accept(
    aNewApplication({ now: at, idempotencyKey: crypto.randomUUID(), application }),
  );
};
const subjects = () => smtp.mails.map(({ parsed }) => parsed.subject);
const texts = () => twilio.messages.map(({ body }) => body);

test("over a quarter two servers send one mail each Monday at nine, through restarts and a day down, wherever the host's own clock has its summer", async () => {
  const channels = { mail: mail(), sms: sms() };
  // Daylight saving begins in the host's zone (the tests run in New York's) on 2027-03-14.
  const start = seoul("2027-02-01T00:00:00");
  const justBeforeNine = 9 * HOUR - 1_000;
  const justAfterNine = 9 * HOUR + 1_000;
  const downFrom = start + 5 * 7 * DAY;
  const servers = [home.another(), home.another()];
  const sentAt: number[] = [];
  for (let day = start; day < start + 13 * 7 * DAY; day += DAY) {
    await apply(day);
    for (const time of day === downFrom ? [] : [0, justBeforeNine, justAfterNine, 15 * HOUR]) {
      if ((day - start) % (7 * DAY) === 0 && time !== 0) {
        await servers.shift()?.close();
        servers.push(home.another());
      }
      await Promise.all(servers.map((store) => turn(day + time, channels, { store })));
      while (sentAt.length < smtp.mails.length) sentAt.push(day + time);
    }
  }
  const mondays = [...Array(13).keys()].map((week) => start + week * 7 * DAY);
  expect(sentAt).toEqual(
    mondays.map((monday) => (monday === downFrom ? monday + DAY : monday + justAfterNine)),
  );
  expect(subjects()[0]).toContain("신청 0건 (1월 25일(월) ~ 1월 31일(일))");
  expect(subjects()[6]).toContain("신청 7건 (3월 8일(월) ~ 3월 14일(일))");
  expect(new Set(subjects()).size).toBe(13);
  expect(texts()).toEqual([]);
  await Promise.all(servers.map((store) => store.close()));
});

test("the worker sends it by itself, and not when it is turned off", async () => {
  now = MONDAY + 9 * HOUR;
  for (const weeklySummary of [false, true]) {
    const worker = new DeliveryWorker({
      store: home.store,
      channels: { file: openFileChannel(nowhere()), mail: mail() },
      caps: CAPS,
      journal: new AttemptJournal(join(home.folder, "attempts.journal")),
      retention: { days: 90, folder: nowhere().folder, backups: join(home.folder, "backups") },
      weeklySummary,
      now: () => now,
    });
    worker.start();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await worker.stop();
    expect(smtp.mails).toHaveLength(weeklySummary ? 1 : 0);
  }
});

test("a restart a second before nine, or after, changes nothing", async () => {
  const channels = { mail: mail() };
  await turn(MONDAY + 9 * HOUR - 1_000, channels);
  await turn(MONDAY + 9 * HOUR + 1_000, channels, { store: home.another() });
  await turn(MONDAY + 9 * HOUR + 2_000, channels, { store: home.another() });
  expect(subjects()).toEqual(["[주간 소식] 지난주 신청 0건 (11월 16일(월) ~ 11월 22일(일))"]);
});

test("a site that was down on Monday makes up for it on Tuesday", async () => {
  await apply(MONDAY - 2 * DAY);
  await turn(MONDAY + DAY + 10 * HOUR, { mail: mail() });
  expect(subjects()).toEqual(["[주간 소식] 지난주 신청 1건 (11월 16일(월) ~ 11월 22일(일))"]);
});

test("what was not made up for within two days is in the next one, which says so", async () => {
  const channels = { mail: mail() };
  await turn(MONDAY - 7 * DAY + 9 * HOUR, channels);
  await apply(MONDAY - 2 * DAY);
  await turn(MONDAY + 2 * DAY + 9 * HOUR, channels);
  await apply(MONDAY + 3 * DAY);
  await turn(MONDAY + 7 * DAY + 9 * HOUR, channels);
  expect(subjects()).toHaveLength(2);
  expect(subjects()[1]).toBe("[주간 소식] 지난 2주 신청 2건 (11월 16일(월) ~ 11월 29일(일))");
});

test("several servers send it once", async () => {
  const others = [home.store, home.another(), home.another(), home.another()];
  await Promise.all(others.map((store) => turn(MONDAY + 9 * HOUR, { mail: mail() }, { store })));
  expect(smtp.mails).toHaveLength(1);
});

describe("a mail server that does not take it", () => {
  test("is tried again until noon, and the text message stays away when it takes it then", async () => {
    smtp.always({ sender: 451 });
    const channels = { mail: mail(), sms: sms() };
    await turn(MONDAY + 9 * HOUR, channels);
    smtp.always(undefined);
    await turn(MONDAY + 9 * HOUR + MINUTE, channels);
    await turn(MONDAY + 13 * HOUR, channels);
    expect(smtp.mails).toHaveLength(1);
    expect(texts()).toEqual([]);
  });

  test("is replaced by one text message at noon", async () => {
    smtp.always({ sender: 550 });
    const channels = { mail: mail(), sms: sms() };
    for (let at = 9 * HOUR; at < 30 * HOUR; at += 10 * MINUTE) await turn(MONDAY + at, channels);
    expect(smtp.mails).toEqual([]);
    expect(texts()).toEqual([
      "메일을 보내지 못해 문자로 알립니다. 지난주에는 운전연수 신청이 없었습니다. 문자는 잘 가고 있습니다.",
    ]);
  });

  test("and may have taken it all the same, gets it once", async () => {
    smtp.next({ dropsAfterData: true });
    const channels = { mail: mail(), sms: sms() };
    for (let at = 9 * HOUR; at < 30 * HOUR; at += 10 * MINUTE) await turn(MONDAY + at, channels);
    expect(smtp.mails).toHaveLength(1);
    expect(texts()).toEqual([]);
  });
});

test("a process that died while it was leaving leaves a doubt, which is not sent again", async () => {
  now = MONDAY + 9 * HOUR;
  const lease = await home.store.claimSummary(summaryWeek(now), { now, leaseMs: HOUR });
  if (!lease) throw new Error("not leased");
  const intent = { transport: "mail", texts: 0, caps: CAPS, now } as const;
  expect(await home.store.recordSummaryIntent(lease, intent)).toEqual({ outcome: "recorded" });
  await turn(MONDAY + 11 * HOUR, { mail: mail() });
  await turn(MONDAY + 12 * HOUR, { mail: mail() });
  expect(smtp.mails).toEqual([]);
  const { settled } = await home.store.lastSummaries();
  expect(settled).toMatchObject({ monday: "2026-11-23", state: "unknown" });
});

test("with SMS alone it is one text message, and waits for the cap", async () => {
  const caps = { hourly: 1, daily: 100 };
  const halfPastEight = MONDAY + 8.5 * HOUR;
  await home.store.claimAlarm({ subject: "backup", evidenceAt: halfPastEight, now: halfPastEight });
  await home.store.chargeAlarm({ subject: "backup", texts: 1, caps, now: halfPastEight });
  for (let at = 9 * HOUR; at < 9.5 * HOUR; at += MINUTE)
    await turn(MONDAY + at, { sms: sms() }, { caps });
  expect(texts()).toEqual([]);
  for (let at = 9.5 * HOUR; at < 12 * HOUR; at += MINUTE)
    await turn(MONDAY + at, { sms: sms() }, { caps });
  expect(texts()).toHaveLength(1);
  await turn(MONDAY + 7 * DAY + 9 * HOUR, { sms: sms() }, { caps });
  expect(texts()).toHaveLength(2);
});

test("with nothing configured it is a file, in place of the one before", async () => {
  await turn(MONDAY + 9 * HOUR, {});
  await turn(MONDAY + 7 * DAY + 9 * HOUR, {});
  const file = join(home.folder, "outbox", "weekly-summary.eml");
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8")).toContain("weekly-2026-11-30.mail@");
});

test("an application that was deleted at a visitor's wish is not in it", async () => {
  await apply(MONDAY - DAY, "지워진이");
  await home.store.forgetPhone("+821012345678");
  await turn(MONDAY + 9 * HOUR, { mail: mail() });
  expect(smtp.mails[0]?.parsed.text).not.toContain("지워진이");
  expect(subjects()[0]).toContain("신청 0건");
});
