/** One attempt at one delivery: take the steps of the plan, and say what the row becomes. */
import type { AttemptResult, LeasedDelivery, Transport } from "#lib/application/delivery.ts";
import { isSmsShortened } from "#lib/channels/sms/text.ts";
import { follow } from "#lib/delivery/follow.ts";
import { isSpent, nextStep, type Step } from "#lib/delivery/plan.ts";
import { Progress } from "#lib/delivery/progress.ts";
import { brokenOff, logResult, resultOf } from "#lib/delivery/result.ts";
import { type AttemptNeeds, findFull, send } from "#lib/delivery/send.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

export interface AttemptTerms {
  /** Aborted when the process stops: sends under way give up. */
  signal: AbortSignal;
  /** Takes a place of this transport in exchange for the one that the attempt has; false when none is free. */
  moveTo: (transport: Transport) => boolean;
  /** The process that was sending the delivery before has ended. */
  resumed: boolean;
}

/** Brings one delivery as far as it goes now. Never throws; gives up when the signal aborts. */
export async function attempt(
  delivery: LeasedDelivery,
  needs: AttemptNeeds,
  terms: AttemptTerms,
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const progress = new Progress(delivery.messages);
  const around = () => ({
    now: needs.now(),
    random: needs.random(),
    aborted: terms.signal.aborted,
  });
  let result: AttemptResult;
  try {
    const step = await takeSteps({ delivery, needs, terms, progress });
    const { sms, mail } = needs.channels;
    result = resultOf(delivery, step, progress, {
      ...around(),
      // After two mails that may be out, a digest would be the third.
      hasMail: mail !== undefined && !progress.messages.some(isSpent),
      hasOther: sms !== undefined && mail !== undefined,
    });
  } catch (err) {
    // Neither a channel nor a plan throws. If one does, it must not stop the deliveries behind this one.
    if (!(err instanceof StorageUnavailable)) {
      log.error({ err, applicationId: delivery.applicationId }, "an attempt threw");
    }
    result = brokenOff(delivery, progress, around());
  }
  logResult(delivery, result, performance.now() - startedAt);
  return result;
}

interface AttemptState {
  delivery: LeasedDelivery;
  needs: AttemptNeeds;
  terms: AttemptTerms;
  progress: Progress;
}

/** Takes steps until nothing is left to do now; returns the last step. */
async function takeSteps(taking: AttemptState): Promise<Step> {
  const { terms, needs, progress } = taking;
  let step = stepNow(taking);
  while (!terms.signal.aborted) {
    if (step.step === "file") {
      await file(taking);
      return step;
    }
    if (step.step === "follow") {
      await follow(step.messages, needs, progress, terms.signal);
    } else if (step.step === "send") {
      if (terms.moveTo(step.transport)) await send(step, taking, terms.signal);
      else await findFull(step.transport, taking);
    } else {
      return step;
    }
    step = stepNow(taking);
  }
  return step;
}

function stepNow({ delivery, needs, terms, progress }: AttemptState): Step {
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
    failingSince: progress.failingSince ?? delivery.failingSince,
    resumed: terms.resumed,
    shortened: isSmsShortened(delivery),
    now: needs.now(),
  });
}

async function file({ delivery, needs, progress }: AttemptState): Promise<void> {
  const fault = await needs.channels.file.write(delivery);
  if (fault) progress.noteFault(fault);
  else progress.filed = true;
}
