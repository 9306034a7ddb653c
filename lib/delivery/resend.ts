/** The owner's request to resend an application now. */
import type { Job, Reopening } from "#lib/storage/queries/jobs.ts";
import { isReached } from "#lib/storage/queries/outcomes.ts";
import type { Store } from "#lib/storage/store.ts";

/** The result of a request to resend. */
export type ResendResult =
  /** The job goes out as soon as a worker runs it. `doubtful`: it may have been sent, which is checked first. */
  | { outcome: "due"; doubtful: boolean }
  /** The owner has it already; only `again` sends it once more. */
  | { outcome: "done" }
  /** An attempt is sending just now. */
  | { outcome: "under-way" }
  /** A provider has it, and is asked for its status; only `again` sends it once more. */
  | { outcome: "sent" }
  | { outcome: "absent" };

/** Makes the job of an application due at once, unless a message of it is leaving; what the owner has only with `again`. */
export async function resendApplication(
  store: Pick<Store, "reopen">,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<ResendResult> {
  const resent = await store.reopen(applicationId, (job) => decideResend(job, again), now);
  return resent ?? { outcome: "absent" };
}

/**
 * A person says that the cause of a refusal is repaired: what was attempted before counts no more. Where a message may
 * be out, the doubt stays, and is checked before it is sent again. Pure.
 */
function decideResend(
  { state, attempts }: Pick<Job, "state" | "attempts">,
  again: boolean,
): { answer: ResendResult; reopening?: Reopening } {
  const outcomes = attempts.map(({ outcome }) => outcome);
  if (outcomes.includes("sending")) return { answer: { outcome: "under-way" } };
  if (!again && state === "done") return { answer: { outcome: "done" } };
  const ownerHasIt = outcomes.some(isReached);
  if (!again && state === "open" && ownerHasIt) return { answer: { outcome: "sent" } };
  const isDoubtful = state === "open" && !again && outcomes.includes("unknown");
  const isRepeat = again && (state === "done" || ownerHasIt);
  return {
    answer: { outcome: "due", doubtful: isDoubtful },
    reopening: { isDoubtful, isRepeat },
  };
}
