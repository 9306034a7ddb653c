import { describe, expect, test } from "vitest";
import { PLACES } from "#lib/delivery/in-flight.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  alarmsMailed,
  applicationsMailed,
  applicationsTexted,
  apply,
  DAY,
  DEFAULT_CAPS,
  expectCounts,
  home,
  MINUTE,
  mail,
  noteMailFault,
  now,
  OWNER_MAIL,
  pass,
  release,
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
    await apply({ channel: "mail" });
    await settle();
    for (let minutes = 0; minutes < 14; minutes++) await pass(MINUTE);
    expect(smtp.mails).toHaveLength(1);
    await pass(MINUTE);
    await expectCounts({ delivered: 1 });
    expect(smtp.mails).toHaveLength(2);
    expect(new Set(smtp.mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
    expect(applicationsTexted()).toEqual([]);
  });

  test("twice goes out by SMS, and never a third time by mail (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start();
    await apply({ channel: "mail" });
    for (let minutes = 0; minutes < 60; minutes++) await pass(MINUTE);
    expect(applicationsMailed()).toHaveLength(2);
    expect(applicationsTexted()).toHaveLength(1);
    await expectCounts({ delivered: 1, needsOwner: 0 });
  });

  test("twice, without SMS, is the owner's to look for, and the alarm says why (row 46)", async () => {
    smtp.next({ dropsAfterData: true }, { dropsAfterData: true });
    await start({ mail: mail() });
    await apply({ channel: "mail" });
    for (let minutes = 0; minutes < 40; minutes++) await pass(MINUTE);
    await expectCounts({ needsOwner: 1, waiting: 0 });
    expect(applicationsMailed()).toHaveLength(2);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("두 번 모두 받았다는 답을 하지 않아");
    await pass(7 * DAY);
    expect(applicationsMailed()).toHaveLength(2);
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("is not repeated by a third process after two that were killed (row 46)", async () => {
    const stored = await apply({ channel: "mail" });
    for (const outcome of ["recorded", "recorded", "spent"]) {
      // A process that was killed: it had a lease, and noted that a mail is about to leave.
      const [lease] = await home.store.leaseDue({ now, leaseMs: 2 * MINUTE, limit: 1 });
      if (!lease) throw new Error("nothing was due");
      const mail = { transport: "mail", recipients: [OWNER_MAIL], caps: undefined, now } as const;
      const recorded = await home.store.recordIntent(lease, mail);
      expect(recorded.outcome).toBe(outcome);
      expect(await home.store.releaseLeases(now)).toHaveLength(1);
      setClock(now + MINUTE);
    }
    expect(stored.outcome).toBe("stored");
    await start();
    await settle();
    await expectCounts({ sent: 1 });
    expect(smtp.mails).toHaveLength(0);
    expect(applicationsTexted()).toHaveLength(1);
  });

  test("is there twice at most, whichever of several servers has it (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start();
    await apply({ channel: "mail" });
    await settle();
    const first = release();
    const second = home.another();
    await start({ sms: sms(), mail: mail() }, DEFAULT_CAPS, second);
    for (let minutes = 0; minutes < 40; minutes += 5) {
      setClock(now + 5 * MINUTE);
      first?.wake();
      await settle();
    }
    await first?.stop();
    expect(applicationsMailed()).toHaveLength(2);
    await release()?.stop();
    await second.close();
  });

  test("in a digest keeps its 15 minutes and its two copies (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start({ sms: sms(), mail: mail() }, { hourly: 2, daily: 100 });
    for (let count = 0; count < 4; count++) await apply();
    // An alarm is one of the text messages.
    for (let minutes = 0; minutes < 150; minutes += 5) await pass(5 * MINUTE);
    const digests = subjects().filter((subject) => subject.includes("신청 2건"));
    expect(digests).toHaveLength(2);
    expect(applicationsMailed()).toHaveLength(2);
    expect(applicationsTexted()).toHaveLength(4);
    await expectCounts({ waiting: 0, needsOwner: 0 });
  });
});

describe("a slow mail server", () => {
  test("that thinks at the final dot gets each mail once, however many wait (row 46)", async () => {
    const thinks = Promise.withResolvers<void>();
    smtp.always({ slow: { finalDot: thinks.promise } });
    // Without SMS: every place of this worker is taken meanwhile.
    await start({ mail: mail() });
    for (let count = 0; count < 20; count++) await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(() => smtp.mails.length).toBe(PLACES.mail);
    // Longer than a lease: it is renewed as long as the conversation lasts.
    for (let minutes = 0; minutes < 9; minutes++) {
      setClock(now + MINUTE);
      worker?.wake();
      await expect.poll(() => worker?.status().lastTurnAt).toBe(now);
    }
    expect(smtp.mails).toHaveLength(PLACES.mail);
    thinks.resolve();
    await settle();
    await expectCounts({ delivered: 20 });
    expect(smtp.mails).toHaveLength(20);
    expect(smtp.mostOpen).toBeLessThanOrEqual(PLACES.mail);
  });

  test("that says nothing holds up no SMS (row 47)", async () => {
    smtp.always({ slow: { sender: new Promise(() => undefined) } });
    await start();
    for (let count = 0; count < 12; count++) await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(() => smtp.attempts).toBe(PLACES.mail);
    await apply();
    worker?.wake();
    await expect.poll(applicationsTexted).toHaveLength(1);
    expect(smtp.attempts).toBe(PLACES.mail);
  });

  test("whose places are all taken, and that has failed for long, has those who wait go by SMS (row 47)", async () => {
    smtp.always({ slow: { sender: new Promise(() => undefined) } });
    await noteMailFault();
    await start();
    for (let count = 0; count < PLACES.mail; count++) await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(() => smtp.attempts).toBe(PLACES.mail);
    setClock(now + 15 * MINUTE);
    await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(applicationsTexted).toHaveLength(1);
  });
});

test("a note of a mail whose answer was lost is no mail: it goes out at its next time", async () => {
  let lost = false;
  const store: Store = {
    ...home.store,
    recordIntent: async (...intent) => {
      const result = await home.store.recordIntent(...intent);
      if (lost) return result;
      lost = true;
      throw new StorageUnavailable("The database is gone.", "failing");
    },
  };
  await start({ mail: mail() }, DEFAULT_CAPS, store);
  await apply({ channel: "mail" });
  await settle();
  expect(smtp.mails).toHaveLength(0);
  await pass(5 * SECOND);
  await expectCounts({ delivered: 1 });
  expect(smtp.mails).toHaveLength(1);
});
