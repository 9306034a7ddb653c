/** Asks a provider what became of a message. */
import type { AttemptResult } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { isLastCheck, isSettled } from "#lib/delivery/retry.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";

interface StatusCheckOptions {
  channels: Channels;
  now: () => number;
  steadySince: () => number;
  signal: AbortSignal;
  /** Another channel could bring the message. */
  hasOther: boolean;
}

/** `segments`: what the message costs after all. Undefined: nothing is known that was not known before. */
type Status = (AttemptResult & { segments?: number }) | undefined;

export function checkStatus(
  attempt: Attempt,
  job: Job,
  options: StatusCheckOptions,
): Promise<Status> {
  return attempt.outcome === "accepted"
    ? followMessage(attempt, options)
    : findMessage(attempt, job, options);
}

/** Asks for the status of a message that its provider has accepted. */
async function followMessage(
  { channel, providerId = "", begunAt }: Attempt,
  { channels, now, signal, hasOther }: StatusCheckOptions,
): Promise<Status> {
  const answer = await channels[channel]?.statusChecks?.fetchStatus(providerId, signal);
  const { outcome, hasLeftProvider = false } = answer ?? {};
  // A message that was taken is paid for.
  if (outcome === "delivered" || outcome === "rejected") return { ...answer, outcome, providerId };
  const answers = outcome === "accepted";
  if (!isSettled(begunAt, now(), hasOther || answers)) return undefined;
  // Once the time is over, what left its provider has arrived; in place of another one the other channel goes on.
  return {
    outcome: (answers && hasLeftProvider) || !hasOther ? "delivered" : "rejected",
    providerId,
  };
}

/** Searches a provider's list for a message of unknown outcome. The list lags: only the last check trusts its absence. */
async function findMessage(
  { channel, recipient, begunAt }: Attempt,
  { attempts, application }: Job,
  { channels, now, steadySince, signal }: StatusCheckOptions,
): Promise<Status> {
  const applicationId = application?.applicationId ?? "";
  const exceptIds = attempts.flatMap(({ providerId }) => providerId ?? []);
  const query = { applicationId, recipient, since: begunAt, exceptIds };
  const answer = await channels[channel]?.statusChecks?.findMessage(query, signal);
  if (answer?.outcome !== "absent") return answer;
  const isLast = isLastCheck({ begunAt, steadySince: steadySince(), now: now() });
  return isLast ? { outcome: "not-sent", segments: 0 } : undefined;
}
