/** The weekly summary has every application, so that the owner notices an application whose message never arrived. */
import { DAY, HOUR, WEEK } from "#lib/application/durations.ts";
import { SEOUL_OFFSET_MS, seoulDate } from "#lib/application/seoul-time.ts";
import type { WeeklySummary } from "#lib/channels/channel.ts";
import { isCalled } from "#lib/channels/words.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import type { NoticeRow } from "#lib/storage/tables.ts";

/** The epoch was a Thursday, three days after a Monday. */
const EPOCH_AFTER_MONDAY_MS = 3 * DAY;
/** Time of day in Seoul. */
const SEND_TIME_OF_DAY_MS = 9 * HOUR;
/** A delayed summary is sent until Wednesday, 09:00. After that, the next summary covers both weeks. */
const TOO_LATE_AFTER_MS = SEND_TIME_OF_DAY_MS + 2 * DAY;

/** Monday, 00:00 in Seoul. */
const startOfWeek = (time: number) =>
  time - ((time + SEOUL_OFFSET_MS + EPOCH_AFTER_MONDAY_MS) % WEEK);

const mondayOf = (topic: string) => Date.parse(`${topic}T00:00:00+09:00`);

/** The notice about the weeks before `until`. Undefined from Wednesday, 09:00, to the next Monday, 09:00. */
export function weeklyNotice(now: number) {
  const until = startOfWeek(now - SEND_TIME_OF_DAY_MS);
  const notice = { kind: "weekly", topic: seoulDate(until), preferredChannel: "mail" } as const;
  return isTooLate(until, now) ? undefined : { notice: { ...notice, enqueuedAt: now }, until };
}

const isTooLate = (monday: number, now: number) => now >= monday + TOO_LATE_AFTER_MS;

export const isTooLateToSend = ({ kind, topic }: Pick<NoticeRow, "kind" | "topic">, now: number) =>
  kind === "weekly" && isTooLate(mondayOf(topic), now);

/** A summary covers the whole weeks since the previous summary, or since the oldest application. */
export async function readSummary(
  { topic }: Pick<NoticeRow, "topic">,
  { store, now }: Pick<DeliveryDeps, "store" | "now">,
): Promise<WeeklySummary> {
  const until = mondayOf(topic);
  const applications = (await store.list({ week: topic })).toReversed();
  const previous = await store.findPreviousWeek(topic);
  const oldest = applications[0]?.submittedAt ?? until;
  const begin = previous === undefined ? startOfWeek(oldest) : mondayOf(previous);
  const from = Math.min(begin, until - WEEK);
  const earlierUncalled = await listEarlierUncalled(store, from);
  const week = { from, until, applications, earlierUncalled };
  return { ...week, isFirst: previous === undefined, now: now() };
}

/** Empty while no stored application is marked as called: otherwise every earlier application would be listed. */
async function listEarlierUncalled(store: Pick<DeliveryDeps["store"], "list">, before: number) {
  const stored = await store.list({});
  if (!stored.some(isCalled)) return [];
  const earlier = stored.filter(({ submittedAt }) => submittedAt < before);
  return earlier.filter((each) => !isCalled(each) && each.suspicion === undefined).toReversed();
}
