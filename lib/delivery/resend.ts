/** What a person changes about the delivery of one application. */

import { isIn, isReached, UNDER_WAY } from "#lib/storage/queries/outcomes.ts";
import type { Store } from "#lib/storage/store.ts";

/**
 * `due`: the application is sent at once. `search-first`: it may have been sent, and is searched for or repeated later.
 * `under-way`: it is being sent. `done`: the owner has it. `accepted`: a provider has it.
 */
export type ResendAnswer = "due" | "search-first" | "under-way" | "done" | "accepted";

/** The applicant has been called: nothing more is sent. What the owner has stays delivered. */
export const closeApplication = (store: Store, applicationId: string, now: number) =>
  store.changeApplication(applicationId, now, ({ notice: { state, finishedAt = now } }) => ({
    reply: undefined,
    notice: { state: state === "done" ? "done" : "closed", finishedAt, calledAt: now },
    messages: "end",
  }));

/** Earlier copies no longer count. Without `again`, a message in doubt keeps its copies. */
export const resendApplication = (
  store: Store,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<ResendAnswer> =>
  store.changeApplication<ResendAnswer>(applicationId, now, ({ notice, messages }) => {
    const { state, enqueuedAt, repeats } = notice;
    const isUnderWay = isIn(UNDER_WAY, state);
    const ownerHasIt = messages.some(isReached);
    if (messages.some((each) => each.state === "sending")) return { reply: "under-way" };
    if (!again && state === "done") return { reply: "done" };
    if (!again && isUnderWay && ownerHasIt) return { reply: "accepted" };
    if (!again && isUnderWay && messages.some((each) => each.state === "unsure"))
      return { reply: "search-first", messages: "retry" };
    const isRepeat = again && (state === "done" || ownerHasIt);
    const restarted = {
      state: "new",
      enqueuedAt: isUnderWay && !isRepeat ? enqueuedAt : now,
      repeats: repeats + (isRepeat ? 1 : 0),
      finishedAt: null,
    } as const;
    return { reply: "due", notice: restarted, messages: "restart" };
  });
