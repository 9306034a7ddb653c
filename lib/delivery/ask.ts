/** A provider is asked what became of a message that it took, or that may be out. */
import type { SendEnd, Tracking } from "#lib/channels/carrier.ts";
import type { Clock } from "#lib/clock.ts";
import { isLastLook, isSettled } from "#lib/delivery/retry.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import type { Send } from "#lib/storage/queries/sends.ts";

interface Terms {
  /** Absent where the provider cannot be asked. */
  tracking: Tracking | undefined;
  /** Whether another carrier could bring it. */
  hasOther: boolean;
  now: Clock;
  signal: AbortSignal;
}

/** Undefined: nothing is known that was not known before. */
export function answerAbout(send: Send, job: Job, terms: Terms): Promise<SendEnd | undefined> {
  return send.outcome === "accepted" ? followed(send, terms) : found(send, job, terms);
}

/** Once the time is over, a message that left its provider has arrived; of another one the other carrier tells. */
async function followed(
  send: Send,
  { tracking, hasOther, now, signal }: Terms,
): Promise<SendEnd | undefined> {
  const { providerId } = send;
  const answer: SendEnd =
    tracking && providerId !== undefined
      ? await tracking.follow(providerId, signal)
      : { outcome: "unknown" };
  const { outcome, passedOn = false } = answer;
  // It was taken, and is paid for.
  if (outcome === "delivered" || outcome === "refused") return { ...answer, providerId };
  const answers = outcome === "accepted";
  if (!isSettled(send, now(), hasOther || answers)) return undefined;
  return { outcome: (answers && passedOn) || !hasOther ? "delivered" : "refused" };
}

/** A message that is not there is looked for again: a provider's list may lag behind what it took. */
async function found(
  send: Send,
  { applications: [application], sends }: Job,
  { tracking, now, signal }: Terms,
): Promise<SendEnd | undefined> {
  if (tracking === undefined || application === undefined) return undefined;
  const { recipient, begunAt: since } = send;
  const { applicationId } = application;
  const exceptIds = sends.flatMap(({ providerId }) => providerId ?? []);
  const answer = await tracking.find({ applicationId, recipient, since, exceptIds }, signal);
  if (answer.outcome !== "absent") return answer;
  // It counts as a copy and under the caps all the same: it may turn up yet.
  return isLastLook(send, now()) ? { outcome: "unsent" } : undefined;
}
