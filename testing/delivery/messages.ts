/** Messages in each state, for tests of the rules of messages and notices. */
import { MINUTE } from "#lib/application/durations.ts";
import type { Message } from "#lib/storage/tables.ts";

export const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const PHONE_A = "+821011110000";
export const PHONE_B = "+821022220000";
export const MAILBOX = "one@owner.kr";

let lastId = 0;
/** A message whose last copy began `minutesAgo`; in the states `waiting` and `capped`, a message without a copy. */
export function aMessage(
  state: Message["state"],
  { minutesAgo = 0, ...changes }: Partial<Message> & { minutesAgo?: number } = {},
): Message {
  const isUnsent = state === "waiting" || state === "capped";
  return {
    ...{ id: ++lastId, noticeId: 1, channel: "sms", recipient: PHONE_A, state, nextAt: NOW },
    ...{ tries: 0, searches: 0, copies: isUnsent ? 0 : 1, isShortened: 0 },
    begunAt: isUnsent ? undefined : NOW - minutesAgo * MINUTE,
    ...{ answeredAt: undefined, outcome: undefined, providerId: undefined, earlierIds: "" },
    ...{ notBefore: 0, error: undefined, advice: undefined, about: undefined },
    ...{ failingSince: undefined, recoveredAt: undefined },
    ...changes,
  };
}
