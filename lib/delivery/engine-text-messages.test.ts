import { describe, expect, test, vi } from "vitest";
import {
  applicationsMailed,
  applicationsTexted,
  apply,
  dieSending,
  expectCounts,
  home,
  MINUTE,
  OWNER,
  pass,
  passInSteps,
  SECOND,
  settle,
  sms,
  smtp,
  start,
  twilio,
  worker,
} from "#testing/engine-with-peers.ts";
import { anApplication } from "#testing/temporary-store.ts";

describe("a message that Twilio may have or not", () => {
  const kinds = [
    ["a 500 that stored it", { status: 500, stores: true }, 1],
    ["a 500 that did not", { status: 500 }, 2],
    ["a reset that stored it", { resets: true, stores: true }, 1],
    ["a reset that did not", { resets: true }, 2],
    ["a 2xx that cannot be read", { text: "<html>", stores: true }, 1],
  ] as const;

  test.each(kinds)(
    "%s: is looked for, and there once in the end",
    async (_name, fault, requests) => {
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
    },
  );

  test.each([
    ["stored it", true, 1],
    ["did not", false, 2],
  ])(
    "a silence of Twilio's that %s: is given up, looked for, and there once in the end",
    async (_name, stores, requests) => {
      const limit = new AbortController();
      const original = AbortSignal.timeout;
      // The time limit of a request runs out when the test says so; that of the attempt is longer.
      const limits = vi
        .spyOn(AbortSignal, "timeout")
        .mockImplementation((ms) => (ms < MINUTE ? limit.signal : original(ms)));
      twilio.next({ hangs: true, stores });
      await apply();
      await start();
      await worker.turn();
      await expect.poll(() => twilio.requests).toBe(1);
      limit.abort();
      limits.mockRestore();
      await settle();
      await expectCounts({ waiting: 1, sent: 0 });
      await passInSteps(8 * MINUTE);
      await expectCounts({ waiting: 0, givenUp: 0 });
      expect(twilio.requests).toBe(requests);
      expect(twilio.messages).toHaveLength(1);
      expect(applicationsMailed()).toEqual([]);
    },
  );

  test("is not sent blindly while Twilio cannot be asked, and goes to mail after 15 minutes", async () => {
    twilio.next({ status: 500, stores: true });
    twilio.asked = { status: 503 };
    await apply();
    await start();
    await passInSteps(14 * MINUTE);
    expect(twilio.requests).toBe(1);
    expect(applicationsMailed()).toEqual([]);
    await pass(2 * MINUTE);
    expect(twilio.requests).toBe(1);
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
    await expectCounts({ done: 1 });
  });

  test("also when the process died between the send and its note (row 10)", async () => {
    await apply();
    const [application] = await home.store.list({});
    if (!application) throw new Error("nothing was stored");
    await dieSending("sms", OWNER);
    const message = { kind: "application", application } as const;
    await sms().send(message, [OWNER], { signal: new AbortController().signal });
    await start();
    await settle();
    await passInSteps(2 * MINUTE);
    await expectCounts({ waiting: 0, done: 1 });
    expect(twilio.messages).toHaveLength(1);
  });

  test("twice goes out by mail, and never a third time by SMS (row 64)", async () => {
    twilio.always({ resets: true });
    await start();
    await apply();
    await passInSteps(30 * MINUTE);
    expect(twilio.requests).toBe(2);
    expect(twilio.looks).toBeGreaterThanOrEqual(2);
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
  });

  test("twice, with SMS alone, is given up (row 64)", async () => {
    twilio.always({ resets: true });
    await start({ sms: sms() });
    await apply();
    await passInSteps(30 * MINUTE);
    expect(twilio.requests).toBeGreaterThanOrEqual(2);
    await expectCounts({ givenUp: 1, waiting: 0 });
  });

  test("is found in a list that lags for five minutes (row 64)", async () => {
    twilio.next({ resets: true, stores: true });
    await start();
    await apply();
    await settle();
    twilio.listLagMs = 24 * 60 * MINUTE;
    await passInSteps(5 * MINUTE);
    twilio.listLagMs = 0;
    await passInSteps(5 * MINUTE);
    await expectCounts({ done: 1 });
    expect(twilio.messages).toHaveLength(1);
    expect(applicationsMailed()).toEqual([]);
  });

  test("is not texted again while the question is refused with 401 (row 64)", async () => {
    twilio.next({ status: 500, stores: true });
    twilio.asked = { status: 401, code: 20003 };
    await start({ sms: sms() });
    await apply();
    await passInSteps(2 * 60 * MINUTE, 5 * MINUTE);
    expect(twilio.requests).toBe(1);
    await expectCounts({ waiting: 1 });
  });
});

test("a phone that is off for a day, with SMS alone, costs two texts (row 65)", async () => {
  twilio.becomes = { status: "undelivered", code: 30003 };
  await start({ sms: sms() });
  await apply();
  await passInSteps(24 * 60 * MINUTE, 10 * MINUTE);
  expect(applicationsTexted()).toHaveLength(2);
  await expectCounts({ givenUp: 1 });
});

describe("a message that Twilio took", () => {
  test.each(["undelivered", "failed"])(
    "and then calls %s goes out by mail (row 16)",
    async (status) => {
      await apply();
      await start();
      await settle();
      await expectCounts({ sent: 1 });
      twilio.becomes = { status, code: 30003 };
      await pass(5 * SECOND);
      await expectCounts({ done: 1 });
      expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
      expect(twilio.messages).toHaveLength(1);
    },
  );

  test("and calls sent for ever is settled after 30 minutes, not before (row 17)", async () => {
    twilio.becomes = { status: "sent" };
    await apply();
    await start();
    await settle();
    await passInSteps(29 * MINUTE);
    await expectCounts({ sent: 1 });
    await pass(MINUTE);
    await expectCounts({ done: 1 });
    expect(smtp.mails).toHaveLength(0);
  });

  test("and keeps for 30 minutes goes out by mail", async () => {
    twilio.becomes = { status: "queued" };
    await apply();
    await start();
    await settle();
    await pass(31 * MINUTE);
    await expectCounts({ done: 1 });
    expect(applicationsMailed()).toHaveLength(1);
    expect(twilio.messages).toHaveLength(1);
  });
});

describe("a text message that leaves out some of it", () => {
  const long = () => anApplication({ message: "가나다 ".repeat(200) });

  test("has the whole go out by mail too, once", async () => {
    await start();
    await apply({ application: long() });
    await settle();
    await pass(5 * SECOND);
    await expectCounts({ done: 1 });
    expect(applicationsTexted()).toHaveLength(1);
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 전문\] /)]);
    expect(smtp.mails[0]?.parsed.text).toContain("가나다 ".repeat(199));
  });

  test("has the whole follow when mail works again, and costs no second text message", async () => {
    smtp.always({ sender: 451 });
    await start();
    await apply({ application: long() });
    await passInSteps(60 * MINUTE, 5 * MINUTE);
    await expectCounts({ sent: 1 });
    expect(applicationsTexted()).toHaveLength(1);
    expect(applicationsMailed()).toEqual([]);
    smtp.always(undefined);
    await pass(30 * MINUTE);
    await expectCounts({ done: 1 });
    expect(applicationsTexted()).toHaveLength(1);
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 전문\] /)]);
  });
});
