import { describe, expect, test, vi } from "vitest";
import type { MessageChannel } from "#lib/channels/channel.ts";
import { LAST_ATTEMPT } from "#lib/delivery/retry.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";
import {
  allChannels,
  DAY,
  expectCounts,
  file,
  HOUR,
  home,
  MINUTE,
  now,
  setClock,
  smsAttempts,
  smtp,
  twilio,
  untilAborted,
  work,
} from "#testing/worker-with-peers.ts";

describe("what fails", () => {
  test("waits for its time, and is delivered then", async () => {
    smtp.next({ data: 451 });
    await home.store.accept(aNewApplication({ channel: "mail" }));
    const worker = work();
    await expectCounts({ waiting: 1, leased: 0 });
    await expect.poll(() => home.store.nextDueAt()).toBe(TEST_NOW + 5_000);

    setClock(now + 4_999);
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    expect(smtp.attempts).toBe(1);

    setClock(now + 1);
    worker.wake();
    await expectCounts({ delivered: 1 });
  });

  test("with a 429 waits for the time that Twilio names", async () => {
    twilio.next({ status: 429, headers: { "retry-after": "600" } });
    await home.store.accept(aNewApplication());
    work();
    await smsAttempts(1);
    expect(await home.store.nextDueAt()).toBe(TEST_NOW + 600_000);
  });

  test("in one channel does not hold up the other", async () => {
    twilio.always({ hangs: true });
    await home.store.accept(aNewApplication());
    const worker = work();
    await expect.poll(() => twilio.requests).toBe(1);
    await home.store.accept(aNewApplication({ channel: "mail" }));
    worker.wake();
    await expectCounts({ leased: 1, delivered: 1 });
    expect(smtp.mails).toHaveLength(1);
  });

  test("for five days is kept for the owner, and not deleted", async () => {
    twilio.always({ status: 400, code: 21211 });
    await home.store.accept(aNewApplication());
    for (let attempt = 1; attempt <= LAST_ATTEMPT - 2; attempt++) {
      const [lease] = await home.store.leaseDue({ now, leaseMs: HOUR, limit: 1 });
      const failed = { state: "waiting", nextAttemptAt: now, error: "busy" } as const;
      if (lease) await home.store.mark(lease, failed, now);
    }
    const { file, sms } = allChannels();
    const worker = work({ channels: { file, ...(sms && { sms }) } });
    await smsAttempts(1);
    await expectCounts({ waiting: 1 });
    setClock(now + HOUR);
    worker.wake();
    await expectCounts({ needsOwner: 1, waiting: 0, leased: 0 });
    // Not by the requests: an alarm about it may be one of them already.
    expect(await home.store.list({})).toMatchObject([{ attempts: LAST_ATTEMPT }]);
    setClock(now + 400 * DAY);
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await expectCounts({ needsOwner: 1 });
  });

  test("to end at all is given up after a minute, and tried again", async () => {
    const limit = new AbortController();
    const limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const sending = Promise.withResolvers<void>();
    const endless: MessageChannel = {
      recipients: ["owner@practice.example"],
      tryLimitMs: MINUTE,
      async send(_message, _recipients, { signal }) {
        sending.resolve();
        await untilAborted(0, signal);
        return [{ outcome: "unknown", error: "silence", advice: "" }];
      },
      close: async () => {},
    };
    await home.store.accept(aNewApplication({ channel: "mail" }));
    work({ channels: { file: file(), mail: endless } });
    await sending.promise;
    expect(limits).toHaveBeenCalledExactlyOnceWith(MINUTE);
    limit.abort();
    await expectCounts({ waiting: 1, leased: 0 });
  });

  test("to end at all takes none of the other channel's time", async () => {
    const limits: AbortController[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    const silence = { error: "silence", advice: "" };
    const channel = { recipients: ["+821000000000"], tryLimitMs: MINUTE, close: async () => {} };
    const sending = Promise.withResolvers<void>();
    const endless: MessageChannel = {
      ...channel,
      async send(_message, _recipients, { signal }) {
        sending.resolve();
        await untilAborted(0, signal);
        return [{ outcome: "retry", ...silence }];
      },
    };
    const working: MessageChannel = {
      ...channel,
      async send(_message, _recipients, { signal }) {
        return [
          signal.aborted
            ? { outcome: "retry", ...silence }
            : { outcome: "delivered", providerId: undefined },
        ];
      },
    };
    await home.store.accept(aNewApplication({ channel: "mail" }));
    const [lease] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
    if (!lease) throw new Error("nothing was due");
    const fault = { ...silence, refused: false, since: now - 15 * MINUTE };
    const waits = { state: "waiting", nextAttemptAt: now, error: "silence" } as const;
    await home.store.mark(lease, { ...waits, channels: [{ channel: "mail", fault }] }, now);

    work({ channels: { file: file(), mail: endless, sms: working } });
    await sending.promise;
    for (const limit of limits) limit.abort();
    await expectCounts({ delivered: 1 });
  });

  test("in the plan itself ends nothing: it is logged and tried again", async () => {
    const { file, mail } = allChannels();
    const faulty: MessageChannel = {
      get recipients(): string[] {
        throw new TypeError("홍길동");
      },
      tryLimitMs: MINUTE,
      send: async () => [],
      close: async () => {},
    };
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    await home.store.accept(aNewApplication());
    work({ channels: { file, ...(mail && { mail }), sms: faulty } });
    await expect.poll(() => home.store.nextDueAt()).toBe(TEST_NOW + 5_000);
    await expectCounts({ waiting: 1, leased: 0 });
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("inside a channel is logged and tried again, and stops nothing else", async () => {
    const broken = {
      recipients: ["+821099990000"],
      tryLimitMs: MINUTE,
      send: () => Promise.reject(new TypeError("홍길동")),
      close: async () => {},
    };
    await home.store.accept(aNewApplication());
    await home.store.accept(aNewApplication({ channel: "mail" }));
    work({ channels: { ...allChannels(), sms: broken } });
    await expectCounts({ waiting: 1, delivered: 1 });
  });
});
