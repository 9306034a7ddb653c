/** One step of an attempt: messages of a delivery leave on one channel. */

import {
  type LeasedDelivery,
  type Message,
  MOST_MAIL_COPIES,
  type SmsCaps,
} from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import { messageAfter, noteOnChannel, noteOnRecipient } from "#lib/delivery/outcome.ts";
import type { Step } from "#lib/delivery/plan.ts";
import type { Progress } from "#lib/delivery/progress.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/** A provider's list may lag behind what it took; a message that may be out is looked for after this. */
const LOOK_AFTER_MS = 10_000;

export interface AttemptNeeds {
  store: DeliveryStore;
  channels: Channels;
  caps: SmsCaps;
  now: Clock;
  random: () => number;
}

type SendStep = Extract<Step, { step: "send" }>;

interface Taking {
  delivery: LeasedDelivery;
  needs: AttemptNeeds;
  progress: Progress;
}

/** Sends to the recipients who have no message yet, and keeps what the outcomes say. */
export async function send(step: SendStep, taking: Taking, stopping: AbortSignal): Promise<void> {
  const { delivery, needs, progress } = taking;
  const { transport, insteadOf, whole } = step;
  const channel = needs.channels[transport];
  progress.tried.add(transport);
  // What is taken now is asked about later.
  progress.followed = true;
  if (channel === undefined) return;
  const startedAt = needs.now();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(channel.tryLimitMs)]);
  const outcomes: [recipient: string, SendOutcome][] = [];

  const recipients = await recipientsToSend(step, taking, signal, outcomes);
  if (recipients.length > 0) {
    let left: Message[] = [];
    let broken: unknown;
    const mayLeave = async () => {
      left = await recordIntent(transport, recipients, taking).catch((error: unknown) => {
        broken = error;
        return [];
      });
      return left.length > 0;
    };
    const message = { kind: "application", application: delivery, insteadOf, whole } as const;
    const sent = await channel.send(message, recipients, { signal, mayLeave });
    if (broken !== undefined) throw broken;
    for (const [index, outcome] of sent.entries()) {
      const recipient = recipients[index] ?? "";
      if (outcome.outcome === "held") continue;
      const leaving = left.find((each) => each.recipient === recipient);
      const before = leaving ?? progress.messageTo(transport, recipient, startedAt);
      progress.noteMessage(messageAfter(outcome, before, leaving !== undefined));
      outcomes.push([recipient, outcome]);
    }
  }
  await noteFaults(transport, outcomes, startedAt, taking);
}

/** Notes that a channel has no free place. If it fails for other deliveries, it counts as failing for this one too. */
export async function findFull(channel: Channel, { needs, progress }: Taking): Promise<void> {
  progress.foundFull(channel);
  const fault = (await needs.store.failingChannels()).find((each) => each.channel === channel);
  progress.failingSince ??= fault?.since;
}

/** Records that messages are about to leave, and returns them; none where a cap or the copies of a mail are used up. */
export async function recordIntent(
  transport: Channel,
  recipients: readonly string[],
  { delivery, needs, progress }: Taking,
): Promise<Message[]> {
  const now = needs.now();
  const caps = transport === "sms" ? needs.caps : undefined;
  const intent = { transport, recipients, caps, now };
  const result = await needs.store.recordIntent(delivery, intent).catch((error: unknown) => {
    // The store may have recorded it although its answer was lost. Nothing leaves now.
    for (const to of recipients) progress.noteMessage(progress.messageTo(transport, to, now));
    throw error;
  });
  switch (result.outcome) {
    case "lost":
      throw new Error("another worker has leased this delivery");
    case "spent":
      for (const to of recipients) {
        const known = progress.messageTo(transport, to, now);
        progress.noteMessage({ ...known, state: "unknown", copies: MOST_MAIL_COPIES });
      }
      return [];
    case "capped":
      progress.cappedUntil = result.freeAt;
      return [];
    case "recorded": {
      const leaving = recipients.map((recipient) => {
        const { copies, ...known } = progress.messageTo(transport, recipient, now);
        return { ...known, copies: copies + 1, begunAt: now, state: "unknown" } as const;
      });
      for (const message of leaving) progress.noteMessage(message);
      return leaving;
    }
  }
}

/**
 * The recipients who get a message now. Where a message may be out already, the provider is asked first, and
 * only a recipient without one is left in the list.
 */
async function recipientsToSend(
  { transport, recipients }: SendStep,
  { delivery, needs, progress }: Taking,
  signal: AbortSignal,
  outcomes: [recipient: string, SendOutcome][],
): Promise<string[]> {
  const tracking = needs.channels[transport]?.tracking;
  const toSend: string[] = [];
  for (const recipient of recipients) {
    const known = progress.messageTo(transport, recipient, needs.now());
    if (tracking === undefined || known.state !== "unknown") {
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
    outcomes.push([recipient, found]);
    // The provider cannot say now: the message may still be out.
    const open =
      found.outcome === "retry" || found.outcome === "unknown" || found.outcome === "held";
    if (!open) progress.noteMessage(messageAfter(found, known, false));
  }
  return toSend;
}

async function noteFaults(
  transport: Channel,
  outcomes: readonly [recipient: string, SendOutcome][],
  startedAt: number,
  { delivery, needs, progress }: Taking,
): Promise<void> {
  const all = outcomes.map(([, outcome]) => outcome);
  progress.channels.push(...noteOnChannel(transport, all, startedAt));
  for (const [recipient, outcome] of outcomes) {
    progress.recipients.push(...noteOnRecipient(transport, recipient, outcome));
  }
  const faults = all.filter((each) => "error" in each);
  for (const fault of faults) progress.noteFault(fault);
  if (faults.length === 0) return;
  const known = (await needs.store.failingChannels()).find(({ channel }) => channel === transport);
  const since = Math.min(startedAt, needs.now());
  progress.failingSince ??= Math.min(since, delivery.failingSince ?? since, known?.since ?? since);
}
