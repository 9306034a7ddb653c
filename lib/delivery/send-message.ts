/** Sends one message of a job: records that it is about to leave, transmits it, and says how each attempt ended. */
import type { AttemptResult, OwnerMessage } from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { earliestUnderCaps, type SmsCaps } from "#lib/delivery/caps.ts";
import type { ClosedAttempt, RecordedAttempts } from "#lib/storage/queries/attempts.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import type { Store } from "#lib/storage/store.ts";

export interface SendDeps {
  store: Pick<Store, "recordAttempts" | "withdrawAttempts">;
  channels: Channels;
  caps: SmsCaps;
  /** Names the worker in all that it writes. */
  holder: string;
  now: () => number;
  /** Repeats a write until the store takes it. */
  recordUntilStored<Result>(record: () => Promise<Result>): Promise<Result | undefined>;
}

interface SendRequest {
  job: Job;
  message: OwnerMessage;
  channel: ChannelName;
  recipients: readonly string[];
  signal: AbortSignal;
}

/** How one attempt ended. `segments`: what it costs after all; undefined: what was recorded when it was begun. */
export interface EndedAttempt {
  begun: Omit<ClosedAttempt, "outcome">;
  result: AttemptResult;
  segments: number | undefined;
}

/** `capAt`: when the caps allow the message that they have just forbidden; then no attempt was begun. */
interface SendResult {
  ended: EndedAttempt[];
  capAt?: number | undefined;
}

/** @throws StorageUnavailable when the attempt could not be recorded: then nothing has left. */
export async function sendMessage(request: SendRequest, deps: SendDeps): Promise<SendResult> {
  const { job, message, channel: name, recipients, signal } = request;
  const { channels, holder, store, now, recordUntilStored } = deps;
  const channel = channels[name];
  if (channel === undefined) return { ended: [] };
  const begunAt = now();
  let recorded: RecordedAttempts | undefined;
  let storeFault: unknown;
  const beforeTransmit = async () => {
    recorded = await recordAttempts(request, channel.segments(message), deps).catch(
      (err: unknown) => {
        storeFault = err;
        return { ids: [] };
      },
    );
    return recorded.ids.length > 0;
  };
  const results = await channel.transmit(message, recipients, { signal, beforeTransmit });
  if (storeFault !== undefined) {
    await recordUntilStored(() => store.withdrawAttempts(holder, job.id));
    throw storeFault;
  }
  // The store refused the attempt: nothing went out, and nothing failed.
  if (recorded?.ids.length === 0) return { ended: [], capAt: recorded.capAt };
  const ended = recipients.map((recipient, index) => {
    const result = results[index] ?? { outcome: "unknown" };
    const begun = { id: recorded?.ids[index], channel: name, recipient, begunAt };
    return { begun, result, segments: isFree(result) ? 0 : undefined };
  });
  return { ended };
}

/** A message that certainly did not leave is free; an accepted one is not, even if it is undelivered. */
const isFree = ({ outcome, providerId }: AttemptResult) =>
  outcome === "not-sent" || (outcome === "rejected" && providerId === undefined);

async function recordAttempts(
  { job, channel, recipients }: SendRequest,
  segments: number,
  { store, caps, holder, now }: SendDeps,
): Promise<RecordedAttempts> {
  const isSuspicious = job.application?.suspicion !== undefined;
  const charge = { segments: segments * recipients.length, isSuspicious };
  const at = now();
  const recorded = await store.recordAttempts(holder, job.id, {
    ...{ channel, recipients, segments, now: at },
    earliest: (charges) => earliestUnderCaps(charges, charge, caps, at),
  });
  return recorded === "not-the-holder" ? { ids: [] } : recorded;
}
