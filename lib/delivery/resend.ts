/** What a person changes about the delivery of one application. */

import { isAcceptedOrDelivered, isIn, NOTICES_UNDER_WAY } from "#lib/storage/outcomes.ts";
import { changeMessage } from "#lib/storage/queries/messages.ts";
import {
  changeNotice,
  endMessages,
  findNotice,
  type NoticeWithMessages,
  restartMessages,
} from "#lib/storage/queries/notices.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Trx } from "#lib/storage/tables.ts";

/**
 * `due`: the application is due now, under the caps. `search-first`: it may have been sent; a search or pause is first.
 * `under-way`: it is being sent. `done`: the owner has it. `accepted`: a provider has it.
 */
export type ResendResult = "due" | "search-first" | "under-way" | "done" | "accepted";

/** @throws if there is no application with this number */
const changeDelivery = <Result>(
  store: Store,
  applicationId: string,
  work: (trx: Trx, found: NoticeWithMessages) => Promise<Result>,
): Promise<Result> =>
  store.change(async (trx) => {
    const found = await findNotice(trx, applicationId, "notices.applicationId");
    if (found === undefined) throw new Error(`no notice about ${applicationId}`);
    return work(trx, found);
  });

/**
 * Sends nothing more, because the applicant has been called. A notice that is done stays done. The retention of any
 * other notice begins now: counted from its filing or from giving up, it could be over already.
 */
export const closeApplication = (store: Store, applicationId: string, now: number) =>
  changeDelivery(store, applicationId, async (trx, { notice }) => {
    const { id } = notice;
    await endMessages(trx, id);
    const closed = notice.state === "done" ? {} : ({ state: "closed", finishedAt: now } as const);
    await changeNotice(trx, id, { ...closed, calledAt: now });
  });

/** Restarts the delivery as if nothing had been sent, or says why not. Without `again`, copies in doubt still count. */
export const resendApplication = (
  store: Store,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<ResendResult> =>
  changeDelivery(store, applicationId, async (trx, { notice, messages }) => {
    const { id, state, enqueuedAt, resends } = notice;
    const isUnderWay = isIn(NOTICES_UNDER_WAY, state);
    const wasReached = messages.some(isAcceptedOrDelivered);
    if (messages.some((each) => each.state === "sending")) return "under-way";
    if (!again && state === "done") return "done";
    if (!again && isUnderWay && wasReached) return "accepted";
    if (!again && isUnderWay && messages.some((each) => each.state === "unsure")) {
      for (const each of messages.filter(({ tries }) => tries > 0)) {
        const nextAt = each.state === "unsure" ? each.nextAt : now;
        await changeMessage(trx, each.id, { tries: 0, nextAt });
      }
      return "search-first";
    }
    const isAnotherCopy = again && (state === "done" || wasReached);
    await restartMessages(trx, id, now);
    await changeNotice(trx, id, {
      state: "new",
      enqueuedAt: isUnderWay && !isAnotherCopy ? enqueuedAt : now,
      resends: resends + (isAnotherCopy ? 1 : 0),
      finishedAt: null,
    });
    return "due";
  });
