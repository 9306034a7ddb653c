import { DAY } from "#lib/application/durations.ts";
import type { OwnerMessage } from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { earliestTimeUnderCaps } from "#lib/delivery/caps.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { elapsed, nextSmsSearchAt, STATUS_DEADLINE } from "#lib/delivery/retry.ts";
import type { Attempt, Charge, ClosedAttempt } from "#lib/storage/queries/attempts.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { type AttemptResult, type Fault, isUncharged } from "#lib/storage/queries/outcomes.ts";

interface SendRequest {
  job: Job;
  message: OwnerMessage;
  channel: ChannelName;
  recipients: readonly string[];
  signal: AbortSignal;
}

/** Records the attempts and transmits. @throws StorageUnavailable if nothing was recorded, and so nothing was sent */
export async function sendMessage(request: SendRequest, deps: DeliveryDeps) {
  const { job, message, channel: name, recipients, signal } = request;
  const { channels, caps, holder, store, now, recordUntilStored } = deps;
  const channel = channels[name];
  if (channel === undefined) return { closed: [] };
  const begunAt = now();
  const segments = channel.segments(message);
  const charge = { segments: segments * recipients.length, suspicion: job.application?.suspicion };
  let recording: ReturnType<typeof store.recordAttempts> | undefined;
  const beforeTransmit = () => {
    const at = now();
    const earliest = (charges: readonly Charge[]) =>
      earliestTimeUnderCaps(charges, charge, caps, at);
    const attempt = { channel: name, recipients, segments, now: at, earliest };
    recording = store.recordAttempts(holder, job.id, attempt);
    return recording.then((recorded) => Boolean(recorded?.ids.length)).catch(() => false);
  };
  const results = await channel.transmit(message, recipients, { signal, beforeTransmit });
  const recorded = await recording?.catch(async (err: unknown) => {
    // A failed write may be committed nevertheless. Nothing was sent, so the recorded attempts are closed.
    await recordUntilStored(() => store.closeAttemptsAsNotSent(holder, job.id));
    throw err;
  });
  // The caps or a lost lease forbade the message, so nothing was sent and nothing failed.
  if (recording && !recorded?.ids.length) return { closed: [], capAt: recorded?.capAt };
  const closed = recipients.map((recipient, index): ClosedAttempt => {
    const result = results[index] ?? { outcome: "unknown" };
    const attempt = { id: recorded?.ids[index], channel: name, recipient, begunAt };
    return { ...attempt, segments: isUncharged(result) ? 0 : undefined, ...result };
  });
  return { closed };
}

/** Undefined if the provider reports no new status. `hasOther`: another channel could send the message. */
export async function checkStatus(
  attempt: Attempt,
  { application, attempts }: Job,
  { signal, hasOther }: { signal: AbortSignal; hasOther: boolean },
  { channels, now, steadySince }: DeliveryDeps,
): Promise<ClosedAttempt | undefined> {
  const { id, channel, recipient, begunAt, outcome, providerId = "" } = attempt;
  const checks = channels[channel]?.statusChecks;
  if (checks === undefined) return undefined;
  const begun = { id, channel, recipient, begunAt };
  if (outcome === "accepted") {
    const answer = await checks.fetchStatus(providerId, signal);
    const { hasLeftProvider = false } = answer;
    // The segments stay as recorded, because an accepted message is charged.
    const close = (result: AttemptResult) => ({ ...begun, ...result, providerId });
    if (answer.outcome === "delivered" || answer.outcome === "rejected") return close(answer);
    // A message that its provider still has is checked for a day if no other channel could send it.
    const checkedFor = hasOther || hasLeftProvider ? STATUS_DEADLINE : DAY;
    if (elapsed(begunAt, now()) < checkedFor) return undefined;
    const isStuck = answer.outcome === "accepted" && !hasLeftProvider;
    if (isStuck) return close({ outcome: "rejected", fault: STUCK });
    // A message that left the provider counts as delivered; one of unknown status goes to another channel, if any.
    return close({ outcome: hasLeftProvider || !hasOther ? "delivered" : "rejected" });
  }
  const applicationId = application?.applicationId ?? "";
  const exceptIds = attempts.flatMap((each) => each.providerId ?? []);
  const query = { applicationId, recipient, begunAt, exceptIds };
  const found = await checks.findMessage(query, signal);
  if (found.outcome !== "absent") return { ...begun, ...found };
  // The provider's list is updated late, so only the last search proves that the message is absent.
  const isLast = nextSmsSearchAt(begunAt, steadySince(), now()) === undefined;
  return isLast ? { ...begun, outcome: "not-sent", segments: 0 } : undefined;
}

const STUCK: Fault = {
  error: "the provider has accepted the message, and has not sent it",
  advice:
    "문자 회사가 받은 문자를 내보내지 못하고 있습니다. 문자 서비스의 계정 상태와 장애 공지를 확인해 주세요.",
  about: "channel",
};
