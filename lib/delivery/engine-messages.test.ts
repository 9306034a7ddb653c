import { describe, expect, test } from "vitest";
import { CARRIERS } from "#lib/channels/carriers.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  applicationsMailed,
  applicationsTexted,
  apply,
  DEFAULT_CAPS,
  deliver,
  expectCounts,
  home,
  MINUTE,
  mail,
  now,
  pass,
  passInSteps,
  SECOND,
  setClock,
  settle,
  slowMail,
  smtp,
  start,
  twilio,
  worker,
} from "#testing/engine-with-peers.ts";

describe("a message that Twilio may have or not", () => {
  test.for([
    ["a 500 that did not store it", { status: 500 }, 2],
    ["a reset that stored it", { resets: true, stores: true }, 1],
  ] as const)("%s: is looked for, and there once in the end", async ([_name, fault, requests]) => {
    twilio.next(fault);
    await apply();
    await start();
    await settle();
    await expectCounts({ waiting: 1, sent: 0 });
    expect(twilio.looks).toBe(0);
    await pass(59 * SECOND);
    // The list may lag behind what Twilio took.
    expect(twilio.looks).toBe(0);
    await passInSteps(7 * MINUTE);
    await expectCounts({ waiting: 0, givenUp: 0 });
    expect(twilio.looks).toBeGreaterThan(0);
    expect(twilio.requests).toBe(requests);
    expect(twilio.messages).toHaveLength(1);
    expect(applicationsMailed()).toEqual([]);
  });
});

describe("a message that Twilio took", () => {
  test.for([
    ["undelivered", "goes out by mail at once (row 16)", 5 * SECOND],
    ["queued", "goes out by mail after 30 minutes", 30 * MINUTE],
    ["sent", "is settled after 30 minutes, not before (row 17)", 30 * MINUTE],
  ] as const)("and calls %s %s", async ([status, _what, after]) => {
    twilio.becomes = { status, ...(status === "undelivered" && { code: 30003 }) };
    await apply();
    await start();
    await settle();
    await passInSteps(after - SECOND, MINUTE);
    await expectCounts({ sent: 1 });
    await pass(SECOND);
    await expectCounts({ done: 1 });
    expect(twilio.messages).toHaveLength(1);
    const instead = status === "sent" ? [] : [expect.stringMatching(/^\[문자 대신\] /)];
    expect(applicationsMailed()).toEqual(instead);
  });
});

describe("a mail that may have gone out", () => {
  test("is repeated once, after 15 minutes, with its Message-ID (row 20)", async () => {
    smtp.next({ dropsAfterData: true });
    await start();
    await deliver({ route: "mail" });
    await passInSteps(14 * MINUTE);
    expect(smtp.mails).toHaveLength(1);
    await pass(MINUTE);
    await expectCounts({ done: 1 });
    expect(smtp.mails).toHaveLength(2);
    expect(new Set(smtp.mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
    // Nor is it told that mail fails.
    expect(twilio.messages).toEqual([]);
  });
});

describe("a slow mail server", () => {
  const { places } = CARRIERS.mail;

  test("that thinks at the final dot gets each mail once, however often it is looked at (row 46)", async () => {
    const thinks = Promise.withResolvers<void>();
    smtp.always({ slow: { finalDot: thinks.promise } });
    await start({ mail: mail() });
    for (let count = 0; count < 2; count++) await apply({ route: "mail" });
    await worker.turn();
    await expect.poll(() => smtp.mails.length).toBe(2);
    for (let minutes = 0; minutes < 9; minutes++) {
      setClock(now + MINUTE);
      await worker.turn();
    }
    thinks.resolve();
    await settle();
    await expectCounts({ done: 2 });
    expect(smtp.mails).toHaveLength(2);
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
  await deliver({ route: "mail" });
  expect(smtp.mails).toHaveLength(0);
  await pass(5 * SECOND);
  await expectCounts({ done: 1 });
  expect(smtp.mails).toHaveLength(1);
});

describe("a stop", () => {
  test("waits for the send under way", async () => {
    const slow = slowMail();
    await start({ mail: slow.carrier }, DEFAULT_CAPS, {
      pause: (_ms, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    });
    await apply({ route: "mail" });
    await worker.turn();
    await slow.begun;
    const stopped = worker.stop();
    slow.end();
    await stopped;
    await expectCounts({ done: 1 });
    expect(worker.status().state).toBe("stopped");
  });

  test("cuts off a send that hangs: it may be out, and counts as no failed try", async () => {
    const slow = slowMail();
    await start({ mail: slow.carrier });
    await apply({ route: "mail" });
    await worker.turn();
    await slow.begun;
    await worker.stop();
    const [application] = await home.store.list({});
    const found = await home.store.find(application?.applicationId ?? "");
    expect(found).toMatchObject({ state: "open", tries: 0, sends: [{ outcome: "unknown" }] });
    expect(await home.store.failing({ mail: [] })).toEqual([]);
  });
});
