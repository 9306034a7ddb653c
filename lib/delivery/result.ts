/** What a delivery's row becomes after an attempt. Pure, but for the log line. */
import { nextLookAt } from "#lib/delivery/follow.ts";
import { FAILOVER_AFTER_MS, type Step } from "#lib/delivery/plan.ts";
import { digestDueAt, nextAttemptAt } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import type {
  AttemptResult,
  Channel,
  ChannelNote,
  Dispatch,
  LeasedDelivery,
} from "#lib/storage/store.ts";

/** What an attempt has learned so far. */
export interface Progress {
  dispatches: Dispatch[];
  channels: ChannelNote[];
  tried: Set<Channel>;
  followed: boolean;
  filed?: boolean;
  /** The last fault that it met. */
  error?: string;
  failingSince?: number;
  /** A time that a provider named. */
  notBefore?: number;
  /** When the caps have room again. */
  cappedUntil?: number;
  /** When a message that may be out can be looked for. */
  lookAt?: number;
}

interface Surroundings {
  now: number;
  random: number;
  /** Cut off by our own stop. */
  aborted: boolean;
  hasMail: boolean;
  hasOther: boolean;
}

export function resultOf(
  delivery: Pick<LeasedDelivery, "attempts" | "channel" | "failingSince">,
  step: Step,
  progress: Progress,
  { now, random, aborted, hasMail, hasOther }: Surroundings,
): AttemptResult {
  const { dispatches, channels } = progress;
  const learned = { dispatches, channels };
  const followAt = nextFollowAt(dispatches, now);
  if (progress.filed) return { state: "filed", carrier: "file", ...learned };
  if (step.step === "done") {
    return followAt === undefined
      ? { state: "delivered", carrier: step.carrier, ...learned }
      : { state: "sent", nextAttemptAt: followAt, ...learned };
  }

  const failingSince = progress.failingSince ?? delivery.failingSince;
  const state = step.step === "wait" ? step.because : "waiting";
  const waits = { state, failingSince, failed: false, ...learned };
  if (aborted) {
    // No failed attempt: it is due as soon as the process is back.
    return { ...waits, nextAttemptAt: now, error: progress.error ?? "cut off by the stop" };
  }
  if (progress.error === undefined) {
    if (progress.cappedUntil !== undefined) {
      const error = "the cap on SMS is reached";
      if (!hasMail) return { ...waits, nextAttemptAt: progress.cappedUntil, error };
      const dueAt = digestDueAt(now);
      return { ...waits, nextAttemptAt: dueAt, error, digest: `${dueAt}` };
    }
    if (progress.lookAt !== undefined) {
      const error = "the message may be out, the provider is asked soon";
      return { ...waits, nextAttemptAt: progress.lookAt, error };
    }
  }
  const attempts = delivery.attempts + 1;
  const error = progress.error ?? "refused before, tried again later";
  const refused = state === "refused";
  const next = nextAttemptAt({ attempts, refused, notBefore: progress.notBefore, now, random });
  if (next === undefined) return { state: "needs-owner", error, ...learned };
  const failover = failingSince === undefined ? 0 : failingSince + FAILOVER_AFTER_MS;
  const times = [next, ...(hasOther && failover > now ? [failover] : [])];
  if (followAt !== undefined) times.push(followAt);
  return { ...waits, failed: true, nextAttemptAt: Math.min(...times), error };
}

function nextFollowAt(dispatches: readonly Dispatch[], now: number): number | undefined {
  const times = dispatches
    .filter(({ state }) => state === "sent")
    .map((dispatch) => nextLookAt(dispatch, now));
  return times.length === 0 ? undefined : Math.min(...times);
}

const LEVELS = {
  delivered: "info",
  filed: "info",
  sent: "info",
  waiting: "warn",
  unknown: "warn",
  refused: "error",
  "needs-owner": "error",
} as const;

/** Numbers, states and durations; nothing that a visitor wrote, and no address of the owner's. */
export function logResult(
  { applicationId, channel, attempts }: LeasedDelivery,
  result: AttemptResult,
  durationMs: number,
): void {
  const dispatches = result.dispatches ?? [];
  log[LEVELS[result.state]](
    {
      applicationId,
      channel,
      ...("carrier" in result ? { carrier: result.carrier } : {}),
      attempt: attempts + 1,
      durationMs: Math.round(durationMs),
      recipients: dispatches.map(({ carrier, state }) => `${carrier} ${state}`),
      faults: (result.channels ?? []).flatMap(({ fault }) => fault?.error ?? []),
      ...("error" in result ? { error: result.error } : {}),
      ...("nextAttemptAt" in result ? { next: new Date(result.nextAttemptAt).toISOString() } : {}),
    },
    `delivery ${result.state}`,
  );
}
