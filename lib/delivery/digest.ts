/** What the caps on SMS keep back goes out together, in one mail. */

import type { AttemptResult, LeasedDelivery, Message } from "#lib/application/delivery.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import { type AttemptNeeds, SEND_LIMIT_MS } from "#lib/delivery/attempt.ts";
import { dispatchAfter, noteOn } from "#lib/delivery/outcome.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/plan.ts";
import { logResult, type Progress, resultOf } from "#lib/delivery/result.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/**
 * Sends one mail for all of them, and says what each row becomes. While nobody knows whether it is out it
 * stays this digest, with its Message-ID; when mail refuses or fails for long, each goes its own way again.
 * Never throws; gives up when the signal aborts.
 */
export async function attemptDigest(
  deliveries: readonly LeasedDelivery[],
  needs: AttemptNeeds,
  signal: AbortSignal,
): Promise<Map<number, AttemptResult>> {
  const startedAt = performance.now();
  const sent = await sendDigest(deliveries, needs, signal).catch((err: unknown) => {
    if (!(err instanceof StorageUnavailable)) log.error({ err }, "a digest threw");
    return { outcomes: [], messages: [] };
  });
  const around = { now: needs.now(), random: needs.random(), aborted: signal.aborted };
  const results = deliveries.map((delivery): [number, AttemptResult] => {
    const result = digestResult(delivery, sent, around);
    logResult(delivery, result, performance.now() - startedAt);
    return [delivery.deliveryId, result];
  });
  return new Map(results);
}

interface SentDigest {
  outcomes: SendOutcome[];
  messages: Message[];
}

async function sendDigest(
  deliveries: readonly LeasedDelivery[],
  { store, channels, now }: AttemptNeeds,
  signal: AbortSignal,
): Promise<SentDigest> {
  const { mail } = channels;
  const id = deliveries[0]?.digest;
  if (mail === undefined || id === undefined) return { outcomes: [], messages: [] };
  const { recipients } = mail;
  const begunAt = now();
  for (const delivery of deliveries) {
    const beginning = { transport: "mail", recipients, caps: undefined, now: begunAt } as const;
    const begun = await store.recordIntent(delivery, beginning);
    if (begun.outcome === "lost") throw new Error("another worker has leased this digest");
  }
  const limited = AbortSignal.any([signal, AbortSignal.timeout(SEND_LIMIT_MS)]);
  const message = { kind: "digest", id, applications: deliveries } as const;
  const outcomes = await mail.send(message, recipients, { signal: limited });
  const begun = recipients.map((recipient) => {
    return {
      transport: "mail",
      recipient,
      begunAt,
      state: "unknown",
      providerId: undefined,
    } as const;
  });
  const messages = begun.map((dispatch, index): Message => {
    const outcome = outcomes[index];
    return outcome ? dispatchAfter(outcome, dispatch) : dispatch;
  });
  return { outcomes, messages };
}

function digestResult(
  delivery: LeasedDelivery,
  { outcomes, messages }: SentDigest,
  around: { now: number; random: number; aborted: boolean },
): AttemptResult {
  const channels = noteOn("mail", outcomes);
  if (outcomes.some(({ outcome }) => outcome === "delivered")) {
    return { state: "delivered", transport: "mail", messages, channels };
  }
  const fault = outcomes.find((each) => "error" in each);
  const failingSince = Math.min(delivery.failingSince ?? around.now, around.now);
  const progress: Progress = {
    messages,
    channels,
    tried: new Set(["mail"]),
    followed: true,
    failingSince,
    error: fault?.error ?? "the digest did not go out",
    advice: fault?.advice ?? "모아 보내는 메일이 나가지 못했습니다.",
  };
  const unknown = outcomes.some(({ outcome }) => outcome === "unknown");
  const step = { step: "wait", because: unknown ? "unknown" : "waiting" } as const;
  const result = resultOf(delivery, step, progress, { ...around, hasMail: true, hasOther: false });
  const stays = fault?.outcome !== "refused" && around.now - failingSince < FAILOVER_AFTER_MS;
  return stays && "failed" in result ? { ...result, digest: delivery.digest } : result;
}
