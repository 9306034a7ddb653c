/** A message that a provider took is followed until it is known where it ended. */

import type { Message } from "#lib/application/delivery.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import { isRecipientsFault, noteOnChannel, noteOnRecipient } from "#lib/delivery/outcome.ts";
import type { Progress } from "#lib/delivery/progress.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** After this long a message that has left the provider counts as delivered: not every phone confirms it. */
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
 * The state of a message that a provider took, after the provider was asked about it. `hasOther`: there is
 * another channel, for a message of which nobody can say whether it arrived.
 */
function standingAfter(
  outcome: SendOutcome,
  { begunAt }: Pick<Message, "begunAt">,
  { now, hasOther }: { now: number; hasOther: boolean },
): "delivered" | "sent" | "refused" {
  const timeIsOver = Math.abs(now - begunAt) >= SETTLED_AFTER_MS;
  switch (outcome.outcome) {
    case "delivered":
      return "delivered";
    case "accepted":
      if (!timeIsOver) return "sent";
      return outcome.passedOn || !hasOther ? "delivered" : "refused";
    case "refused":
      // With an id Twilio refuses the message, without one only our question about it.
      if (outcome.providerId !== undefined) return "refused";
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
    const outcome: SendOutcome =
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
    const state = standingAfter(outcome, message, around);
    // A refusal counts from now, not from the send: what was refused just now is not open again.
    const begunAt = state === "refused" ? around.now : message.begunAt;
    progress.noteMessage({ ...message, state, begunAt });
    if (outcome.outcome === "delivered") {
      progress.recipients.push(...noteOnRecipient("sms", message.recipient, outcome));
    }
    if (state === "refused" && "error" in outcome) progress.noteFault(outcome);
    if (state === "refused" && outcome.outcome === "refused") {
      progress.recipients.push(...noteOnRecipient("sms", message.recipient, outcome));
      if (!isRecipientsFault(outcome)) {
        progress.channels.push(...noteOnChannel("sms", [outcome], around.now));
      }
    }
  }
}
