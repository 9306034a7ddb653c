import { describe, expect, test } from "vitest";
import { CARRIERS } from "#lib/channels/carriers.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  alarmsMailed,
  applicationsMailed,
  applicationsTexted,
  apply,
  DAY,
  DEFAULT_CAPS,
  dieSending,
  expectCounts,
  home,
  MINUTE,
  mail,
  now,
  OWNER_MAIL,
  pass,
  passInSteps,
  SECOND,
  setClock,
  settle,
  sms,
  smtp,
  start,
  subjects,
  worker,
} from "#testing/engine-with-peers.ts";

describe("a mail that may have gone out", () => {
  test("is repeated once, after 15 minutes, with its Message-ID (row 20)", async () => {
    smtp.next({ dropsAfterData: true });
    await start();
    await apply({ route: "mail" });
    await settle();
    await passInSteps(14 * MINUTE);
    expect(smtp.mails).toHaveLength(1);
    await pass(MINUTE);
    await expectCounts({ done: 1 });
    expect(smtp.mails).toHaveLength(2);
    expect(new Set(smtp.mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
    expect(applicationsTexted()).toEqual([]);
  });

  test("twice goes out by SMS, and never a third time by mail (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start();
    await apply({ route: "mail" });
    await passInSteps(60 * MINUTE);
    expect(applicationsMailed()).toHaveLength(2);
    expect(applicationsTexted()).toHaveLength(1);
    await expectCounts({ done: 1, givenUp: 0 });
  });

  test("twice, without SMS, is the owner's to look for, and the alarm says why (row 46)", async () => {
    smtp.next({ dropsAfterData: true }, { dropsAfterData: true });
    await start({ mail: mail() });
    await apply({ route: "mail" });
    await passInSteps(40 * MINUTE);
    await expectCounts({ givenUp: 1, waiting: 0 });
    expect(applicationsMailed()).toHaveLength(2);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("메일을 넘긴 뒤");
    await pass(7 * DAY);
    expect(applicationsMailed()).toHaveLength(2);
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("is not repeated by a third process after two that were killed (row 46)", async () => {
    await apply({ route: "mail" });
    for (let times = 0; times < 2; times++) {
      await dieSending("mail", OWNER_MAIL);
      await start();
      await passInSteps(times === 0 ? 14 * MINUTE : 16 * MINUTE);
      if (times === 0) setClock(now + MINUTE);
    }
    expect(smtp.mails).toHaveLength(0);
    expect(applicationsTexted()).toHaveLength(1);
  });

  test("in a digest keeps its 15 minutes and its two copies (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start({ sms: sms(), mail: mail() }, { hourly: 4, daily: 100 });
    for (let count = 0; count < 4; count++) await apply();
    // An alarm is one of the text messages.
    await passInSteps(150 * MINUTE);
    const digests = subjects().filter((subject) => subject.includes("신청 2건"));
    expect(digests).toHaveLength(2);
    expect(applicationsMailed()).toHaveLength(2);
    expect(applicationsTexted()).toHaveLength(4);
    await expectCounts({ waiting: 0, givenUp: 0 });
  });
});

describe("a slow mail server", () => {
  const { places } = CARRIERS.mail;

  test("that thinks at the final dot gets each mail once, however many wait (row 46)", async () => {
    const thinks = Promise.withResolvers<void>();
    smtp.always({ slow: { finalDot: thinks.promise } });
    // Without SMS: every place of this worker is taken meanwhile.
    await start({ mail: mail() });
    for (let count = 0; count < 10; count++) await apply({ route: "mail" });
    await worker.turn();
    await expect.poll(() => smtp.mails.length).toBe(places);
    for (let minutes = 0; minutes < 9; minutes++) {
      setClock(now + MINUTE);
      await worker.turn();
    }
    expect(smtp.mails).toHaveLength(places);
    thinks.resolve();
    await settle();
    await expectCounts({ done: 10 });
    expect(smtp.mails).toHaveLength(10);
    expect(smtp.mostOpen).toBeLessThanOrEqual(places);
  });

  test("that says nothing holds up no SMS, and those who wait go by SMS after 15 minutes (row 47)", async () => {
    smtp.always({ slow: { sender: new Promise(() => undefined) } });
    await start();
    for (let count = 0; count < places + 3; count++) await apply({ route: "mail" });
    await worker.turn();
    await expect.poll(() => smtp.attempts).toBe(places);
    await apply();
    await worker.turn();
    await expect.poll(applicationsTexted).toHaveLength(1);
    expect(smtp.attempts).toBe(places);
    setClock(now + 15 * MINUTE);
    await worker.turn();
    await expect.poll(applicationsTexted).toHaveLength(1 + 3);
  });
});

test("a note of a mail whose answer was lost is no mail: it goes out at its next time", async () => {
  let lost = false;
  const beginSends: Store["beginSends"] = async (...leaving) => {
    const begun = await home.store.beginSends(...leaving);
    if (lost) return begun;
    lost = true;
    throw new StorageUnavailable("The database is gone.", "failing");
  };
  const store: Store = { ...home.store, beginSends };
  await start({ mail: mail() }, DEFAULT_CAPS, { store });
  await apply({ route: "mail" });
  await settle();
  expect(smtp.mails).toHaveLength(0);
  await pass(5 * SECOND);
  await expectCounts({ done: 1 });
  expect(smtp.mails).toHaveLength(1);
});
