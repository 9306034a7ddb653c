/** The owner's words for messages, and what a machine gets. */
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { FollowedApplication } from "#lib/application/delivery.ts";
import type { MessageState } from "#lib/application/delivery-states.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";

export const MESSAGE_WORDS: Readonly<Record<MessageState, string>> = {
  sending: "보내는 중",
  unsent: "나가지 않음",
  unknown: "나갔는지 모름",
  sent: "보냄, 도착 확인 중",
  delivered: "도착",
  refused: "거부됨",
};

const isoOrNull = (time: number | undefined) => (time === undefined ? null : seoulIso(time));

/** An application for a program: codes, E.164, ISO times. */
export function forMachines(followed: FollowedApplication) {
  return {
    number: formatApplicationId(followed.applicationId),
    channel: followed.channel,
    submittedAt: seoulIso(followed.submittedAt),
    ...followed.application,
    phoneAsRead: formatPhone(followed.application.phone),
    suspicion: followed.suspicion ?? null,
    state: followed.state,
    transport: followed.transport ?? null,
    failedAttempts: followed.attempts,
    repeats: followed.repeats ?? 0,
    lastError: followed.lastError ?? null,
    lastAdvice: followed.lastAdvice ?? null,
    nextAttemptAt: isoOrNull(isSettled(followed) ? undefined : followed.nextAttemptAt),
    settledAt: isoOrNull(followed.settledAt),
  };
}

/** Whether nothing more happens to it by itself. */
export function isSettled({ state }: Pick<FollowedApplication, "state">): boolean {
  return state === "delivered" || state === "needs-owner" || state === "filed";
}
