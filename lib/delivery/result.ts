/** What a delivery's row becomes after an attempt. Pure, but for the log line. */

import type { AttemptResult, LeasedDelivery, Message } from "#lib/application/delivery.ts";
import { nextLookAt } from "#lib/delivery/follow.ts";
import type { Step } from "#lib/delivery/plan.ts";
import type { Progress } from "#lib/delivery/progress.ts";
import { digestDueAt, FAILOVER_AFTER_MS, nextAttemptAt } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";

/** How soon to look again for a free place. */
const PLACE_PAUSE_MS = 5_000;
const MAILED_TWICE =
  "메일 서버가 두 번 모두 받았다는 답을 하지 않아, 같은 신청이 세 번 가지 않도록 멈추었습니다. 메일함(스팸함도)에 있는지 확인해 주세요.";
const REFUSED_BEFORE = "앞서 거부되어 시간을 두고 다시 보냅니다.";

interface Around {
  now: number;
  random: number;
  /** Cut off by our own stop. */
  aborted: boolean;
}

interface AroundStep extends Around {
  hasMail: boolean;
  hasOther: boolean;
}

export function resultOf(
  delivery: Pick<LeasedDelivery, "attempts" | "channel" | "failingSince">,
  step: Step,
  progress: Progress,
  { now, random, aborted, hasMail, hasOther }: AroundStep,
): AttemptResult {
  const { messages, channels, recipients } = progress;
  const notes = { messages, channels, recipients };
  const followAt = nextFollowAt(messages, now);
  if (progress.filed) return { state: "filed", transport: "file", ...notes };
  if (step.step === "done") {
    return followAt === undefined
      ? { state: "delivered", transport: step.transport, ...notes }
      : { state: "sent", nextAttemptAt: followAt, ...notes };
  }

  if (step.step === "give-up") {
    const error = "two mails may have gone out, nobody knows, and there is no other channel";
    return { state: "needs-owner", error, advice: MAILED_TWICE, ...notes };
  }
  const failingSince = progress.failingSince ?? delivery.failingSince;
  const state = step.step === "wait" ? step.because : "waiting";
  const waits = { state, failingSince, failed: false, ...notes };
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
  if (progress.full !== undefined) {
    const { error = `every place of ${progress.full} is taken`, advice } = progress;
    return {
      ...waits,
      state: state === "refused" ? "waiting" : state,
      nextAttemptAt: now + PLACE_PAUSE_MS,
      error,
      advice: advice ?? "먼저 보내고 있는 신청이 끝나기를 기다립니다.",
    };
  }
  const attempts = delivery.attempts + 1;
  const error = progress.error ?? "refused before, tried again later";
  const advice = progress.error === undefined ? REFUSED_BEFORE : progress.advice;
  const refused = state === "refused";
  const until = step.step === "wait" ? step.until : undefined;
  const planned = nextAttemptAt({ attempts, refused, notBefore: progress.notBefore, now, random });
  if (planned === undefined) return { state: "needs-owner", error, advice, ...notes };
  // A mail that may have gone out is not tried earlier, and the wait for it is no failed attempt.
  const next = until ?? planned;
  const failover = failingSince === undefined ? 0 : failingSince + FAILOVER_AFTER_MS;
  const times = [next, ...(hasOther && failover > now ? [failover] : [])];
  if (followAt !== undefined) times.push(followAt);
  return { ...waits, failed: true, nextAttemptAt: Math.min(...times), error, advice };
}

/** For an attempt that threw: its notes are kept. */
export function brokenOff(
  delivery: Pick<LeasedDelivery, "attempts" | "failingSince">,
  { messages, channels, recipients, ...progress }: Progress,
  { now, random, aborted }: Around,
): AttemptResult {
  const error = progress.error ?? "the attempt was broken off, see the log";
  const advice = progress.advice ?? "보내기가 중간에 끊겼습니다. 서버의 로그를 확인해 주세요.";
  const notes = { messages, channels, recipients, error, advice };
  const inDoubt = messages.some((message) => message.state === "unknown");
  const waits = {
    state: inDoubt ? "unknown" : "waiting",
    failingSince: progress.failingSince ?? delivery.failingSince,
    ...notes,
  } as const;
  if (aborted) return { ...waits, nextAttemptAt: now, failed: false };
  const failed = { attempts: delivery.attempts + 1, refused: false, notBefore: undefined };
  const next = nextAttemptAt({ ...failed, now, random });
  return next === undefined
    ? { state: "needs-owner", ...notes }
    : { ...waits, nextAttemptAt: next };
}

function nextFollowAt(messages: readonly Message[], now: number): number | undefined {
  const times = messages
    .filter(({ state }) => state === "sent")
    .map((message) => nextLookAt(message, now));
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
      faults: [...(result.channels ?? []), ...(result.recipients ?? [])].flatMap(
        ({ fault }) => fault?.error ?? [],
      ),
      ...("error" in result ? { error: result.error } : {}),
      ...("nextAttemptAt" in result ? { next: new Date(result.nextAttemptAt).toISOString() } : {}),
    },
    `delivery ${result.state}`,
  );
}
