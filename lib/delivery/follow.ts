/** How a message that a provider took is followed until it is known where it ended. Pure. */

import type { Message } from "#lib/application/delivery.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** After this long a message that has left the provider counts as delivered: not every phone says so. */
const SETTLED_AFTER_MS = 30 * MINUTE;
const SHORTEST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

/** When to ask again: often at first, and once when the time is over. */
export function nextLookAt({ begunAt }: Pick<Message, "begunAt">, now: number): number {
  const age = Math.max(0, now - begunAt);
  const pause = Math.min(Math.max(age / 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  const end = begunAt + SETTLED_AFTER_MS;
  return end > now ? Math.min(Math.round(now + pause), end) : Math.round(now + pause);
}

/**
 * What an answer says about a message that was taken. `hasOther`: there is another channel, to which a
 * message goes that nobody can vouch for.
 */
export function standingAfter(
  answer: SendOutcome,
  { begunAt }: Pick<Message, "begunAt">,
  { now, hasOther }: { now: number; hasOther: boolean },
): "delivered" | "sent" | "refused" {
  const timeIsOver = Math.abs(now - begunAt) >= SETTLED_AFTER_MS;
  switch (answer.outcome) {
    case "delivered":
      return "delivered";
    case "accepted":
      if (!timeIsOver) return "sent";
      return answer.passedOn || !hasOther ? "delivered" : "refused";
    case "refused":
      // With the message's own id it is Twilio's word about the message, else about our question.
      if (answer.providerId !== undefined) return "refused";
      break;
    case "retry":
    case "unknown":
      break;
  }
  if (!timeIsOver) return "sent";
  return hasOther ? "refused" : "delivered";
}
