/** A provider is asked what became of a message that it took, or that may be out. */
import type { SendEnd, Tracking } from "#lib/channels/carrier.ts";
import type { LookedAt } from "#lib/delivery/looked-at.ts";
import { isLastLook, isSettled } from "#lib/delivery/retry.ts";
import { endOf } from "#lib/delivery/send.ts";
import { routesOf } from "#lib/delivery/subject.ts";
import type { EndOfSend, Send } from "#lib/storage/queries/sends.ts";

export async function ask(look: LookedAt, sends: readonly Send[]): Promise<void> {
  look.asked = true;
  const { job, needs } = look;
  const { store, holder, now } = needs;
  const ends: EndOfSend[] = [];
  for (const send of sends) {
    const end = await endFor(send, look);
    if (end) ends.push({ ...send, ...end });
  }
  if (ends.length === 0) return;
  const known = await needs.noted(() => store.endSends(job.id, ends, { holder, now: now() }));
  if (Array.isArray(known)) job.sends = known;
}

type Answer = Omit<ReturnType<typeof endOf>, "segments"> & { segments?: number | undefined };

async function endFor(send: Send, look: LookedAt): Promise<Answer | undefined> {
  const carrier = look.needs.carriers[send.carrier];
  const signal = AbortSignal.any([
    look.needs.cutOff,
    AbortSignal.timeout(carrier?.tryLimitMs ?? 0),
  ]);
  return send.outcome === "accepted"
    ? afterQuestion(send, await followed(send, carrier?.tracking, signal), look)
    : found(send, carrier?.tracking, look, signal);
}

async function followed(
  { providerId }: Send,
  tracking: Tracking | undefined,
  signal: AbortSignal,
): Promise<SendEnd> {
  return tracking && providerId !== undefined
    ? tracking.follow(providerId, signal)
    : { outcome: "unknown" };
}

/** Once the time is over, a message that left its provider has arrived; of another one the other carrier tells. */
function afterQuestion(send: Send, answer: SendEnd, look: LookedAt): Answer | undefined {
  if (answer.outcome === "delivered" || answer.outcome === "refused") {
    // It was taken, and is paid for.
    return endOf({ ...answer, providerId: send.providerId }, look);
  }
  const { now, carriers } = look.needs;
  const hasOther = routesOf(look.job, carriers).order.length > 1;
  if (!isSettled(send, now(), hasOther || answer.outcome === "accepted")) return undefined;
  const arrived = (answer.outcome === "accepted" && answer.passedOn) || !hasOther;
  return { outcome: arrived ? "delivered" : "refused", ...NOTHING_ELSE };
}

/** A message that is not there is looked for again: a provider's list may lag behind what it took. */
async function found(
  send: Send,
  tracking: Tracking | undefined,
  look: LookedAt,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const [application] = look.job.applications;
  if (tracking === undefined || application === undefined) return undefined;
  const { recipient, begunAt } = send;
  const exceptIds = look.job.sends.flatMap(({ providerId }) => providerId ?? []);
  const { applicationId } = application;
  const answer = await tracking.find(
    { applicationId, recipient, since: begunAt, exceptIds },
    signal,
  );
  if (answer.outcome === "absent") {
    // It counts as a copy and under the caps all the same: it may turn up yet.
    return isLastLook(send, look.needs.now()) ? { outcome: "unsent", ...NOTHING_ELSE } : undefined;
  }
  const { segments: _, ...end } = endOf(answer, look);
  return end;
}

const NOTHING_ELSE = { providerId: undefined, notBefore: undefined, fault: undefined };
