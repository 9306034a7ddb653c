/** A message that a provider took is followed until it is known where it ended. */

import type { Message } from "#lib/application/delivery.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import { isRecipientsFault, noteOnChannel, noteOnRecipient } from "#lib/delivery/outcome.ts";
import type { Progress } from "#lib/delivery/progress.ts";

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
function standingAfter(
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

/** Asks what became of messages that a provider took. */
export async function follow(
  messages: readonly Message[],
  { channels, now }: { channels: Channels; now: Clock },
  progress: Progress,
  stopping: AbortSignal,
): Promise<void> {
  progress.followed = true;
  const { sms, mail } = channels;
  const around = { now: now(), hasOther: sms !== undefined && mail !== undefined };
  for (const message of messages) {
    const tracking = message.transport === "sms" ? sms?.tracking : undefined;
    const answer: SendOutcome =
      sms && tracking && message.providerId
        ? await tracking.follow(
            message.providerId,
            AbortSignal.any([stopping, AbortSignal.timeout(sms.tryLimitMs)]),
          )
        : {
            outcome: "unknown",
            error: "its channel is not configured any more",
            advice: "보낸 뒤에 채널 설정이 없어져, 어떻게 되었는지 물어볼 수 없습니다.",
          };
    const state = standingAfter(answer, message, around);
    // A refusal counts from when it was learned: what was refused just now is not open again.
    const begunAt = state === "refused" ? around.now : message.begunAt;
    progress.learn({ ...message, state, begunAt });
    if (answer.outcome === "delivered") {
      progress.recipients.push(...noteOnRecipient("sms", message.recipient, answer));
    }
    if (state === "refused" && "error" in answer) progress.noteFault(answer);
    if (state === "refused" && answer.outcome === "refused") {
      progress.recipients.push(...noteOnRecipient("sms", message.recipient, answer));
      if (!isRecipientsFault(answer)) {
        progress.channels.push(...noteOnChannel("sms", [answer], around.now));
      }
    }
  }
}
