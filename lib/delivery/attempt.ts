/** One attempt at one delivery: take the steps of the plan, and say what the row becomes. */

import type { AttemptResult, LeasedDelivery, Message, SmsCaps } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/open.ts";
import { standingAfter } from "#lib/delivery/follow.ts";
import { dispatchAfter, noteOn } from "#lib/delivery/outcome.ts";
import { nextStep, type Step } from "#lib/delivery/plan.ts";
import { logResult, type Progress, resultOf } from "#lib/delivery/result.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/** No attempt takes longer; a lease is longer than this. */
export const SEND_LIMIT_MS = 60_000;
/** A provider's list may lag behind what it took; a message that may be out is looked for after this. */
const LOOK_AFTER_MS = 10_000;

export interface AttemptNeeds {
  store: DeliveryStore;
  channels: Channels;
  caps: SmsCaps;
  now: () => number;
  random: () => number;
}

/** Brings one delivery as far as it goes now. Never throws; gives up when the signal aborts. */
export async function attempt(
  delivery: LeasedDelivery,
  needs: AttemptNeeds,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(SEND_LIMIT_MS)]);
  const progress: Progress = {
    messages: [...delivery.messages],
    channels: [],
    tried: new Set(),
    followed: false,
  };
  try {
    let step = stepNow(delivery, needs, progress);
    while (!signal.aborted && step.step !== "done" && step.step !== "wait") {
      await take(step, { delivery, needs, progress, signal: limited });
      if (step.step === "file") break;
      step = stepNow(delivery, needs, progress);
    }
  } catch (err) {
    // Neither a channel nor a plan throws. If one does, it must not stop the deliveries behind this one.
    if (!(err instanceof StorageUnavailable)) {
      log.error({ err, applicationId: delivery.applicationId }, "an attempt threw");
    }
    progress.error ??= "the attempt was broken off, see the log";
    progress.advice ??= "보내기가 중간에 끊겼습니다. 서버의 로그를 확인해 주세요.";
  }
  const step = stepNow(delivery, needs, progress);
  const surroundings = { now: needs.now(), random: needs.random(), aborted: signal.aborted };
  const result = resultOf(delivery, step, progress, {
    ...surroundings,
    hasMail: needs.channels.mail !== undefined,
    hasOther: needs.channels.sms !== undefined && needs.channels.mail !== undefined,
  });
  logResult(delivery, result, performance.now() - startedAt);
  return result;
}

function stepNow(delivery: LeasedDelivery, needs: AttemptNeeds, progress: Progress): Step {
  const { sms, mail } = needs.channels;
  // What looks automated goes by mail or file: a text message costs money and wakes the owner.
  const mayText = delivery.suspicion === undefined;
  return nextStep({
    channel: mayText ? delivery.channel : "mail",
    recipients: {
      ...(mayText && sms && { sms: sms.recipients }),
      ...(mail && { mail: mail.recipients }),
    },
    messages: progress.messages,
    followed: progress.followed,
    tried: progress.tried,
    failingSince: progress.failingSince,
    now: needs.now(),
  });
}

interface Taking {
  delivery: LeasedDelivery;
  needs: AttemptNeeds;
  progress: Progress;
  signal: AbortSignal;
}

async function take(step: Step, taking: Taking): Promise<void> {
  if (step.step === "file") return file(taking);
  if (step.step === "follow") return follow(step.messages, taking);
  if (step.step === "send") return send(step, taking);
}

async function file({ delivery, needs, progress }: Taking): Promise<void> {
  const fault = await needs.channels.file.write(delivery);
  if (fault) noteFault(progress, fault);
  else progress.filed = true;
}

/** Asks what became of messages that a provider took. */
async function follow(messages: readonly Message[], taking: Taking): Promise<void> {
  const { needs, progress, signal } = taking;
  progress.followed = true;
  const { sms, mail } = needs.channels;
  const around = { now: needs.now(), hasOther: sms !== undefined && mail !== undefined };
  for (const dispatch of messages) {
    const tracking = dispatch.transport === "sms" ? sms?.tracking : undefined;
    const answer: SendOutcome =
      tracking && dispatch.providerId
        ? await tracking.follow(dispatch.providerId, signal)
        : {
            outcome: "unknown",
            error: "its channel is not configured any more",
            advice: "보낸 뒤에 채널 설정이 없어져, 어떻게 되었는지 물어볼 수 없습니다.",
          };
    const state = standingAfter(answer, dispatch, around);
    // A refusal counts from when it was learned: what was refused just now is not open again.
    const begunAt = state === "refused" ? around.now : dispatch.begunAt;
    learn(progress, { ...dispatch, state, begunAt });
    if (state === "refused" && "error" in answer) noteFault(progress, answer);
    if (state === "refused" && answer.outcome === "refused") {
      progress.channels.push(...noteOn("sms", [answer]));
    }
  }
}

async function send(step: Extract<Step, { step: "send" }>, taking: Taking): Promise<void> {
  const { delivery, needs, progress, signal } = taking;
  const { transport, insteadOf } = step;
  const channel = needs.channels[transport];
  progress.tried.add(transport);
  // What is taken now is asked about later.
  progress.followed = true;
  if (channel === undefined) return;
  const outcomes: SendOutcome[] = [];

  const recipients = await recipientsToSend(step, taking, outcomes);
  if (recipients.length > 0) {
    const now = needs.now();
    const caps = transport === "sms" ? needs.caps : undefined;
    const begun = await needs.store.recordIntent(delivery, { transport, recipients, caps, now });
    if (begun.outcome === "lost") throw new Error("another worker has leased this delivery");
    if (begun.outcome === "capped") {
      progress.cappedUntil = begun.freeAt;
    } else {
      const begunNow = recipients.map((recipient) => {
        const providerId = dispatchOf(progress, transport, recipient)?.providerId;
        return { transport, recipient, begunAt: now, providerId, state: "unknown" } as const;
      });
      for (const dispatch of begunNow) learn(progress, dispatch);
      const message = { kind: "application", application: delivery, insteadOf } as const;
      const sent = await channel.send(message, recipients, { signal });
      for (const [index, outcome] of sent.entries()) {
        const dispatch = begunNow[index];
        if (dispatch) learn(progress, dispatchAfter(outcome, dispatch));
        outcomes.push(outcome);
      }
    }
  }
  await learnFaults(transport, outcomes, taking);
}

/**
 * Who is to get a message now. Where one may be out already, the provider is asked first; only who has
 * none is sent to.
 */
async function recipientsToSend(
  { transport, recipients }: Extract<Step, { step: "send" }>,
  { delivery, needs, progress, signal }: Taking,
  outcomes: SendOutcome[],
): Promise<string[]> {
  const tracking = needs.channels[transport]?.tracking;
  const toSend: string[] = [];
  for (const recipient of recipients) {
    const known = dispatchOf(progress, transport, recipient);
    if (tracking === undefined || known?.state !== "unknown") {
      toSend.push(recipient);
      continue;
    }
    const age = needs.now() - known.begunAt;
    if (age >= 0 && age < LOOK_AFTER_MS) {
      progress.lookAt = known.begunAt + LOOK_AFTER_MS;
      continue;
    }
    const sought = { applicationId: delivery.applicationId, recipient, exceptId: known.providerId };
    const found = await tracking.find(sought, signal);
    if (found.outcome === "absent") {
      toSend.push(recipient);
      continue;
    }
    outcomes.push(found);
    // A provider that cannot be asked now leaves the doubt.
    const open = found.outcome === "retry" || found.outcome === "unknown";
    if (!open) learn(progress, dispatchAfter(found, known));
  }
  return toSend;
}

async function learnFaults(
  transport: Channel,
  outcomes: readonly SendOutcome[],
  { delivery, needs, progress }: Taking,
): Promise<void> {
  progress.channels.push(...noteOn(transport, outcomes));
  const faults = outcomes.filter((each) => "error" in each);
  for (const fault of faults) {
    noteFault(progress, fault);
    if (fault.outcome === "retry" && fault.notBefore !== undefined) {
      progress.notBefore = Math.max(progress.notBefore ?? 0, fault.notBefore);
    }
  }
  if (faults.length === 0) return;
  const channelFault = (await needs.store.failingChannels()).find(
    ({ channel }) => channel === transport,
  );
  const now = needs.now();
  progress.failingSince ??= Math.min(now, delivery.failingSince ?? now, channelFault?.since ?? now);
}

function noteFault(progress: Progress, { error, advice }: { error: string; advice: string }) {
  progress.error = error;
  progress.advice = advice;
}

function dispatchOf({ messages }: Progress, transport: Channel, recipient: string) {
  return messages.find((each) => each.transport === transport && each.recipient === recipient);
}

function learn(progress: Progress, dispatch: Message): void {
  const others = progress.messages.filter(
    ({ transport, recipient }) =>
      transport !== dispatch.transport || recipient !== dispatch.recipient,
  );
  progress.messages = [...others, dispatch];
}
