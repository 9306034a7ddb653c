/** What a delivery's row becomes after an attempt. Pure, but for the log line. */

import type {
  AttemptResult,
  ChannelNote,
  LeasedDelivery,
  Message,
} from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import { nextLookAt } from "#lib/delivery/follow.ts";
import { FAILOVER_AFTER_MS, type Step } from "#lib/delivery/plan.ts";
import { digestDueAt, nextAttemptAt } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";

/** What an attempt has learned so far. */
export interface Progress {
  messages: Message[];
  channels: ChannelNote[];
  tried: Set<Channel>;
  followed: boolean;
  filed?: boolean;
  /** The last fault that it met. */
  error?: string;
  /** Korean: the same for the owner. */
  advice?: string;
  failingSince?: number;
  /** A time that a provider named. */
  notBefore?: number;
  /** When the caps have room again. */
  cappedUntil?: number;
  /** When a message that may be out can be looked for. */
  lookAt?: number;
}

const REFUSED_BEFORE = "앞서 거부되어 시간을 두고 다시 보냅니다.";

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
  const { messages, channels } = progress;
  const learned = { messages, channels };
  const followAt = nextFollowAt(messages, now);
  if (progress.filed) return { state: "filed", transport: "file", ...learned };
  if (step.step === "done") {
    return followAt === undefined
      ? { state: "delivered", transport: step.transport, ...learned }
      : { state: "sent", nextAttemptAt: followAt, ...learned };
  }

  const failingSince = progress.failingSince ?? delivery.failingSince;
  const state = step.step === "wait" ? step.because : "waiting";
  const waits = { state, failingSince, failed: false, ...learned };
  if (aborted) {
    // No failed attempt: it is due as soon as the process is back.
    const { error = "cut off by the stop", advice = "사이트가 멈추어 보내기를 중단했습니다." } =
      progress;
    return { ...waits, nextAttemptAt: now, error, advice };
  }
  if (progress.error === undefined) {
    if (progress.cappedUntil !== undefined) {
      const error = "the cap on SMS is reached";
      const advice = "시간당 또는 하루 문자 한도에 이르렀습니다.";
      if (!hasMail) return { ...waits, nextAttemptAt: progress.cappedUntil, error, advice };
      const dueAt = digestDueAt(now);
      return { ...waits, nextAttemptAt: dueAt, error, advice, digest: `${dueAt}` };
    }
    if (progress.lookAt !== undefined) {
      const error = "the message may be out, the provider is asked soon";
      const advice = "이미 나갔을 수 있어, 다시 보내기 전에 Twilio에 확인합니다.";
      return { ...waits, nextAttemptAt: progress.lookAt, error, advice };
    }
  }
  const attempts = delivery.attempts + 1;
  const error = progress.error ?? "refused before, tried again later";
  const advice = progress.error === undefined ? REFUSED_BEFORE : progress.advice;
  const refused = state === "refused";
  const next = nextAttemptAt({ attempts, refused, notBefore: progress.notBefore, now, random });
  if (next === undefined) return { state: "needs-owner", error, advice, ...learned };
  const failover = failingSince === undefined ? 0 : failingSince + FAILOVER_AFTER_MS;
  const times = [next, ...(hasOther && failover > now ? [failover] : [])];
  if (followAt !== undefined) times.push(followAt);
  return { ...waits, failed: true, nextAttemptAt: Math.min(...times), error, advice };
}

function nextFollowAt(messages: readonly Message[], now: number): number | undefined {
  const times = messages
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
  const messages = result.messages ?? [];
  log[LEVELS[result.state]](
    {
      applicationId,
      channel,
      ...("transport" in result ? { transport: result.transport } : {}),
      attempt: attempts + 1,
      durationMs: Math.round(durationMs),
      recipients: messages.map(({ transport, state }) => `${transport} ${state}`),
      faults: (result.channels ?? []).flatMap(({ fault }) => fault?.error ?? []),
      ...("error" in result ? { error: result.error } : {}),
      ...("nextAttemptAt" in result ? { next: new Date(result.nextAttemptAt).toISOString() } : {}),
    },
    `delivery ${result.state}`,
  );
}
