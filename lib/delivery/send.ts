/** One message leaves: noted before, and its end at once. */
import type { OwnerMessage, SendEnd } from "#lib/channels/carrier.ts";
import type { Action } from "#lib/delivery/decide.ts";
import type { LookedAt } from "#lib/delivery/looked-at.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import { type EndOfSend, isReached } from "#lib/storage/queries/sends.ts";

/** No conversation holds up the other carrier longer than the failover may take. */
const LONGEST_TRY_MS = FAILOVER_AFTER_MS - 60_000;

export async function send(
  look: LookedAt,
  { carrier: name, recipients }: Extract<Action, { do: "send" }>,
  message: OwnerMessage,
): Promise<void> {
  const { job, needs } = look;
  const { store, carriers, caps, holder, now, cutOff } = needs;
  const carrier = carriers[name];
  if (carrier === undefined) return;
  const begunAt = now();
  const leaving = { jobId: job.id, carrier: name, recipients, caps, holder };
  const segments = carrier.segments(message);
  let ids: number[] = [];
  let left = true;
  let broken: unknown;
  const mayLeave = async () => {
    const begun = await store.beginSends({ ...leaving, segments, now: now() }).catch((err) => {
      broken = err;
      return "lost" as const;
    });
    if (typeof begun === "object" && "freeAt" in begun) {
      look.roomAt = begun.freeAt;
      look.capped = true;
    }
    ids = typeof begun === "object" && "ids" in begun ? begun.ids : [];
    left = ids.length > 0;
    return left;
  };
  const limit = AbortSignal.timeout(Math.min(carrier.tryLimitMs, LONGEST_TRY_MS));
  const signal = AbortSignal.any([cutOff, limit]);
  const ends = await carrier.send(message, recipients, { signal, mayLeave });
  if (broken !== undefined) {
    await needs.noted(() => store.takeBackSends(job.id, holder));
    throw broken;
  }
  // The store said no: nothing went out, and nothing was wrong.
  if (!left) return;
  const noted = ends.map((end, index) => ({
    ...endOf(end, look),
    id: ids[index],
    carrier: name,
    recipient: recipients[index] ?? "",
    begunAt,
  }));
  const sends = await needs.noted(() => store.endSends(job.id, noted, { holder, now: now() }));
  if (Array.isArray(sends)) job.sends = sends;
}

/** What certainly did not leave costs nothing; what a provider took does, whatever became of it. */
export function endOf(
  end: SendEnd,
  look: LookedAt,
): Pick<EndOfSend, "outcome" | "providerId" | "notBefore" | "fault" | "segments"> {
  const { outcome, providerId, notBefore } = end;
  const free = outcome === "unsent" || (outcome === "refused" && providerId === undefined);
  return {
    outcome,
    providerId,
    notBefore,
    fault: isReached(outcome) ? undefined : look.note(end),
    ...(free ? { segments: 0 } : {}),
  };
}
