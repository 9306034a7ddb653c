import type { OwnerMessage } from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { earliestTimeUnderCaps } from "#lib/delivery/caps.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { isLastTextSearch, isSettled } from "#lib/delivery/retry.ts";
import type { Attempt, ClosedAttempt, RecordedAttempts } from "#lib/storage/queries/attempts.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { type AttemptResult, type Fault, isUncharged } from "#lib/storage/queries/outcomes.ts";

interface SendRequest {
  job: Job;
  message: OwnerMessage;
  channel: ChannelName;
  recipients: readonly string[];
  signal: AbortSignal;
}

/** `capAt`: the caps forbade the message until this time, so no attempt was begun. */
interface SendResult {
  closed: ClosedAttempt[];
  capAt?: number | undefined;
}

/** Records the attempts and transmits. @throws StorageUnavailable if nothing was recorded, and so nothing was sent */
export async function sendMessage(request: SendRequest, deps: DeliveryDeps): Promise<SendResult> {
  const { job, message, channel: name, recipients, signal } = request;
  const { channels, holder, store, now, recordUntilStored } = deps;
  const channel = channels[name];
  if (channel === undefined) return { closed: [] };
  const begunAt = now();
  let recording: Promise<RecordedAttempts> | undefined;
  const beforeTransmit = () => {
    recording = recordAttempts(request, channel.segments(message), deps);
    return recording.then(({ ids }) => ids.length > 0).catch(() => false);
  };
  const results = await channel.transmit(message, recipients, { signal, beforeTransmit });
  const recorded = await recording?.catch(async (err: unknown) => {
    await recordUntilStored(() => store.withdrawAttempts(holder, job.id));
    throw err;
  });
  // The caps or a lost lease forbade the message, so nothing was sent and nothing failed.
  if (recorded?.ids.length === 0) return { closed: [], capAt: recorded.capAt };
  const closed = recipients.map((recipient, index) => {
    const result = results[index] ?? { outcome: "unknown" };
    const segments = isUncharged(result) ? 0 : undefined;
    return { id: recorded?.ids[index], channel: name, recipient, begunAt, segments, ...result };
  });
  return { closed };
}

async function recordAttempts(
  { job, channel, recipients }: SendRequest,
  segments: number,
  { store, caps, holder, now }: DeliveryDeps,
): Promise<RecordedAttempts> {
  const { suspicion } = job.application ?? {};
  const charge = { segments: segments * recipients.length, suspicion };
  const at = now();
  const recorded = await store.recordAttempts(holder, job.id, {
    ...{ channel, recipients, segments, now: at },
    earliest: (charges) => earliestTimeUnderCaps(charges, charge, caps, at),
  });
  return recorded === "not-the-holder" ? { ids: [] } : recorded;
}

/** Undefined if the status has not changed. `hasOther`: another channel could send the message. */
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
    const final = finalResult(answer, begunAt, hasOther, now());
    // The segments stay as recorded, because an accepted message is charged.
    return final && { ...begun, ...final, providerId };
  }
  const applicationId = application?.applicationId ?? "";
  const exceptIds = attempts.flatMap((each) => each.providerId ?? []);
  const query = { applicationId, recipient, since: begunAt, exceptIds };
  const found = await checks.findMessage(query, signal);
  if (found.outcome !== "absent") return { ...begun, ...found };
  // The provider's list is updated late, so only the last search proves that the message is absent.
  const isLast = isLastTextSearch({ begunAt, steadySince: steadySince(), now: now() });
  return isLast ? { ...begun, outcome: "not-sent", segments: 0 } : undefined;
}

const STUCK: Fault = {
  error: "the provider has accepted the message, and has not sent it",
  advice:
    "문자 회사가 받은 문자를 내보내지 못하고 있습니다. 문자 서비스의 계정 상태와 장애 공지를 확인해 주세요.",
  about: "channel",
};

/** The final outcome of an accepted message; undefined while it is open. */
function finalResult(
  answer: AttemptResult,
  begunAt: number,
  hasOther: boolean,
  now: number,
): AttemptResult | undefined {
  const { outcome, hasLeftProvider = false } = answer;
  if (outcome === "delivered" || outcome === "rejected") return answer;
  if (!isSettled(begunAt, now, hasOther || hasLeftProvider)) return undefined;
  if (outcome === "accepted" && !hasLeftProvider) return { outcome: "rejected", fault: STUCK };
  // A text of unknown outcome may be lost. The outcome `rejected` makes the other channel send the message.
  return { outcome: hasLeftProvider || !hasOther ? "delivered" : "rejected" };
}
