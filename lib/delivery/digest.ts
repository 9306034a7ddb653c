/** The digest: one mail for the applications that the caps on SMS kept back. */
import type { AttemptResult, LeasedDelivery } from "#lib/application/delivery.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { AttemptTerms } from "#lib/delivery/attempt.ts";
import { messageAfter, noteOnChannel, noteOnRecipient } from "#lib/delivery/outcome.ts";
import { isSpent, mailRepeatAt } from "#lib/delivery/plan.ts";
import { Progress } from "#lib/delivery/progress.ts";
import { brokenOff, logResult, resultOf } from "#lib/delivery/result.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import { type AttemptNeeds, recordIntent } from "#lib/delivery/send.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";

interface Member {
  delivery: LeasedDelivery;
  progress: Progress;
}

/**
 * Sends one mail for all of them, and says what each row becomes. While nobody knows whether the mail is out,
 * they stay in this digest, and the mail is repeated once with the same Message-ID. When mail refuses or fails
 * for long, or two copies may be out, each delivery is sent by itself again. Never throws; gives up when the
 * signal aborts.
 */
export async function attemptDigest(
  deliveries: readonly LeasedDelivery[],
  needs: AttemptNeeds,
  terms: AttemptTerms,
): Promise<Map<number, AttemptResult>> {
  const startedAt = performance.now();
  const members = deliveries.map((delivery): Member => {
    return { delivery, progress: new Progress(delivery.messages) };
  });
  const around = () => ({
    now: needs.now(),
    random: needs.random(),
    aborted: terms.signal.aborted,
  });
  let conclude: (member: Member) => AttemptResult;
  try {
    const outcomes = await sendDigest(members, needs, terms);
    conclude = (member) => digestResult(member, outcomes, around());
  } catch (err) {
    if (!(err instanceof StorageUnavailable)) log.error({ err }, "a digest threw");
    conclude = ({ delivery, progress }) => brokenOff(delivery, progress, around());
  }
  return new Map(
    members.map((member) => {
      const result = conclude(member);
      logResult(member.delivery, result, performance.now() - startedAt);
      return [member.delivery.deliveryId, result];
    }),
  );
}

/** Returns no outcomes when nothing had to be sent now. */
async function sendDigest(
  members: readonly Member[],
  needs: AttemptNeeds,
  terms: AttemptTerms,
): Promise<SendOutcome[]> {
  const { mail } = needs.channels;
  const id = members[0]?.delivery.digest;
  const mailable = members.filter(({ progress }) => !progress.messages.some(isSpent));
  if (mail === undefined || id === undefined || mailable.length === 0) return [];
  const waits = mailable.some(
    ({ progress }) => (mailRepeatAt(progress.messages, needs.now()) ?? 0) > needs.now(),
  );
  if (waits && !terms.resumed) return [];
  const { recipients } = mail;
  const startedAt = needs.now();
  let broken: unknown;
  let left = false;
  const mayLeave = async () => {
    try {
      for (const member of mailable) {
        await recordIntent("mail", recipients, { needs, ...member });
      }
      left = true;
    } catch (error) {
      broken = error;
    }
    return left;
  };
  const signal = AbortSignal.any([terms.signal, AbortSignal.timeout(mail.tryLimitMs)]);
  const applications = mailable.map(({ delivery }) => delivery);
  const message = { kind: "digest", id, applications } as const;
  const outcomes = await mail.send(message, recipients, { signal, mayLeave });
  if (broken !== undefined) throw broken;
  for (const { progress } of mailable)
    noteOutcomes(progress, recipients, outcomes, startedAt, left);
  return outcomes;
}

function noteOutcomes(
  progress: Progress,
  recipients: readonly string[],
  outcomes: readonly SendOutcome[],
  startedAt: number,
  left: boolean,
): void {
  progress.channels.push(...noteOnChannel("mail", outcomes, startedAt));
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.outcome === "held") continue;
    const recipient = recipients[index] ?? "";
    const before = progress.messageTo("mail", recipient, startedAt);
    progress.noteMessage(messageAfter(outcome, before, left));
    progress.recipients.push(...noteOnRecipient("mail", recipient, outcome));
    if ("error" in outcome) {
      progress.noteFault(outcome);
      progress.failingSince ??= startedAt;
    }
  }
}

function digestResult(
  { delivery, progress }: Member,
  outcomes: readonly SendOutcome[],
  around: { now: number; random: number; aborted: boolean },
): AttemptResult {
  const { messages } = progress;
  if (messages.some(({ transport, state }) => transport === "mail" && state === "delivered")) {
    const { channels, recipients } = progress;
    return { state: "delivered", transport: "mail", messages, channels, recipients };
  }
  progress.failingSince = Math.min(
    delivery.failingSince ?? around.now,
    progress.failingSince ?? around.now,
  );
  progress.error ??= "the digest did not go out";
  progress.advice ??= "모아 보내는 메일이 나가지 못했습니다.";
  const until = mailRepeatAt(messages, around.now);
  const because = until === undefined ? "waiting" : "unknown";
  const step = { step: "wait", because, until } as const;
  const result = resultOf(delivery, step, progress, { ...around, hasMail: true, hasOther: false });
  const failsShortly = around.now - progress.failingSince < FAILOVER_AFTER_MS;
  const refused = outcomes.some(({ outcome }) => outcome === "refused");
  const stays = !messages.some(isSpent) && !refused && (until !== undefined || failsShortly);
  return stays && "nextAttemptAt" in result && "error" in result
    ? { ...result, digest: delivery.digest }
    : result;
}
