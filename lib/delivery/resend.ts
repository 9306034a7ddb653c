import { dueNowColumns } from "#lib/storage/queries/enqueue.ts";
import { isReached } from "#lib/storage/queries/outcomes.ts";
import type { Store } from "#lib/storage/store.ts";

/**
 * `due`: the next run sends the application. `status-check-first`: the next run first checks whether an earlier message
 * was sent. `under-way`: an attempt is sending. `done`: the owner has the application. `accepted`: a provider has it.
 */
export type ResendAnswer = "due" | "status-check-first" | "under-way" | "done" | "accepted";

export function closeApplication(store: Store, applicationId: string, now: number) {
  return store.changeJob<boolean>(applicationId, ({ state }) =>
    state === "given-up"
      ? { answer: true, changes: { state: "closed", finishedAt: now } }
      : { answer: false },
  );
}

/** Earlier attempts no longer count. Without `again`, an open job with an unknown outcome gets a status check first. */
export function resendApplication(
  store: Store,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<ResendAnswer> {
  return store.changeJob(applicationId, (job) => {
    const { state, attempts, attemptsAfter, enqueuedAt, repeats } = job;
    const outcomes = attempts.map(({ outcome }) => outcome);
    if (outcomes.includes("sending")) return { answer: "under-way" };
    if (!again && state === "done") return { answer: "done" };
    const ownerHasIt = outcomes.some(isReached);
    if (!again && state === "open" && ownerHasIt) return { answer: "accepted" };
    const mayBeOut = state === "open" && !again && outcomes.includes("unknown");
    const isRepeat = again && (state === "done" || ownerHasIt);
    const lastAttempt = attempts.at(-1)?.id ?? attemptsAfter;
    const changes = {
      ...dueNowColumns(now),
      enqueuedAt: state !== "open" || isRepeat ? now : enqueuedAt,
      attemptsAfter: mayBeOut ? attemptsAfter : lastAttempt,
      repeats: repeats + (isRepeat ? 1 : 0),
      finishedAt: null,
    };
    return { answer: mayBeOut ? "status-check-first" : "due", changes };
  });
}
