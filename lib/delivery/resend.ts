/** The owner's request to resend an application now. */
import type { Job, Reopening } from "#lib/storage/queries/jobs.ts";
import { isReached } from "#lib/storage/queries/outcomes.ts";
import type { Store } from "#lib/storage/store.ts";

/**
 * `due`: the job goes out as soon as a worker runs it. `due-if-absent`: it may have been sent, which is checked first.
 * `under-way`: an attempt is sending just now. `done`: the owner has it. `sent`: a provider has it, and is asked for its
 * status. Only `again` sends once more what is done or sent.
 */
export type ResendOutcome = "due" | "due-if-absent" | "under-way" | "done" | "sent";

/** Makes the job of an application due at once, unless an attempt is sending. What the owner has needs `again`. */
export function resendApplication(
  store: Pick<Store, "reopen">,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<ResendOutcome> {
  return store.reopen(applicationId, (job) => decideResend(job, again), now);
}

/**
 * A person says that the cause of a refusal is repaired, so earlier attempts no longer count. A message that may have
 * been sent is the exception: its status is checked before it is sent again. Pure.
 */
function decideResend(
  { state, attempts }: Pick<Job, "state" | "attempts">,
  again: boolean,
): { outcome: ResendOutcome; reopening?: Reopening } {
  const outcomes = attempts.map(({ outcome }) => outcome);
  if (outcomes.includes("sending")) return { outcome: "under-way" };
  if (!again && state === "done") return { outcome: "done" };
  const ownerHasIt = outcomes.some(isReached);
  if (!again && state === "open" && ownerHasIt) return { outcome: "sent" };
  const isDoubtful = state === "open" && !again && outcomes.includes("unknown");
  const isRepeat = again && (state === "done" || ownerHasIt);
  return { outcome: isDoubtful ? "due-if-absent" : "due", reopening: { isDoubtful, isRepeat } };
}
