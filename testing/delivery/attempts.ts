/** Attempts and states of a delivery, for tests of the pure function that decides the next action. */
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import type { DeliveryState } from "#lib/delivery/next-action.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import type { AttemptOutcome } from "#lib/storage/tables.ts";

export const NOW = Date.parse("2026-12-01T09:30:00+09:00");
export const [PHONE_A, PHONE_B, MAILBOX] = ["+821011110000", "+821022220000", "one@owner.kr"];

let lastId = 0;
/** Returns a function that makes an attempt begun `minutes` ago. The ids of the attempts increase. */
export const createAttemptMaker =
  (recipient: string) =>
  (outcome: AttemptOutcome, minutes = 0, changes: Partial<Attempt> = {}): Attempt => {
    const begunAt = NOW - minutes * MINUTE;
    const isText = !recipient.includes("@");
    const hasLeft = outcome !== "not-sent" && outcome !== "rejected";
    return {
      ...{ id: ++lastId, jobId: 1, channel: isText ? "sms" : "mail", recipient, outcome, begunAt },
      ...{ segments: isText && hasLeft ? 1 : 0, recovered: false },
      endedAt: outcome === "sending" ? undefined : begunAt + SECOND,
      ...{ about: undefined, error: undefined, advice: undefined },
      ...{ notBefore: undefined, providerId: undefined },
      ...changes,
    };
  };

export const BASE_STATE: DeliveryState = {
  ...{ jobId: 1, channels: ["sms", "mail"], recipients: { sms: [PHONE_A], mail: [MAILBOX] } },
  ...{ attempts: [], now: NOW, steadySince: 0, retryAt: NOW, isTryDue: true, isExhausted: false },
  ...{
    checkable: ["sms"],
    mayRepeat: true,
    hasActed: false,
    tried: new Set(),
    blockedSince: undefined,
  },
  ...{ slotAt: undefined, capAt: undefined },
};
