/** One attempt at one delivery: send, judge, and say what the row becomes. */
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/open.ts";
import { carrierFor } from "#lib/delivery/plan.ts";
import { nextAttemptAt } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import type { AttemptResult, Carrier, LeasedDelivery } from "#lib/storage/store.ts";

/** No send takes longer; a lease is longer than this. */
export const SEND_LIMIT_MS = 60_000;

export interface AttemptNeeds {
  channels: Channels;
  now: () => number;
  random: () => number;
}

/** Sends one delivery. Never throws; gives up when the signal aborts. */
export async function attempt(
  delivery: LeasedDelivery,
  { channels, now, random }: AttemptNeeds,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const carrier = carrierFor(delivery, (name) => channels[name] !== undefined);
  const sent = await send(delivery, carrier, channels, signal);
  const result = judge(sent, carrier, delivery, { now: now(), random: random(), signal });

  const { applicationId, channel } = delivery;
  const level = { delivered: "info", waiting: "warn", "needs-owner": "error" } as const;
  log[sent.outcome === "refused" ? "error" : level[result.state]](
    {
      applicationId,
      channel,
      carrier,
      attempt: delivery.attempts + 1,
      durationMs: Math.round(performance.now() - startedAt),
      ...(result.state === "delivered" ? {} : { error: result.error }),
      ...(result.state === "waiting" ? { next: new Date(result.nextAttemptAt).toISOString() } : {}),
    },
    `delivery ${result.state}`,
  );
  return result;
}

async function send(
  delivery: LeasedDelivery,
  carrier: Carrier,
  channels: Channels,
  signal: AbortSignal,
): Promise<SendOutcome> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(SEND_LIMIT_MS)]);
    return await (channels[carrier] ?? channels.file).send(delivery, limited);
  } catch (err) {
    // A channel does not throw. If one does, the fault must not stop the deliveries behind this one.
    log.error({ err, applicationId: delivery.applicationId, carrier }, "a channel threw");
    return { outcome: "retry", error: "the channel has a fault, see the log" };
  }
}

function judge(
  sent: SendOutcome,
  carrier: Carrier,
  { attempts }: LeasedDelivery,
  { now, random, signal }: { now: number; random: number; signal: AbortSignal },
): AttemptResult {
  if (sent.outcome === "delivered") {
    return { state: "delivered", carrier, providerId: sent.providerId };
  }
  const { error } = sent;
  // Cut off by our own stop, it is no failed attempt: it is due as soon as the process is back.
  if (signal.aborted) return { state: "waiting", nextAttemptAt: now, error };
  const next = nextAttemptAt({
    attempts: attempts + 1,
    refused: sent.outcome === "refused",
    notBefore: sent.outcome === "retry" ? sent.notBefore : undefined,
    now,
    random,
  });
  return next === undefined
    ? { state: "needs-owner", error }
    : { state: "waiting", nextAttemptAt: next, error };
}
