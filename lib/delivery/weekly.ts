/** The weekly summary has every application, so that the owner notices an application whose message never arrived. */
import { DAY, HOUR, WEEK } from "#lib/application/durations.ts";
import { SEOUL_OFFSET_MS, seoulDate } from "#lib/application/seoul-time.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import type { NewJob } from "#lib/storage/queries/enqueue.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";

/** The epoch was a Thursday, three days after a Monday. */
const EPOCH_AFTER_MONDAY = 3 * DAY;
/** Time of day in Seoul. */
const SENT_AT = 9 * HOUR;
/** A delayed summary is sent until Wednesday, 09:00. After that, the next summary covers both weeks. */
const TOO_LATE_AFTER = SENT_AT + 2 * DAY;

/** Monday, 00:00 in Seoul. */
const startOfWeek = (time: number) => time - ((time + SEOUL_OFFSET_MS + EPOCH_AFTER_MONDAY) % WEEK);

const mondayOf = (topic: string) => Date.parse(`${topic}T00:00:00+09:00`);

/** No job is enqueued from Wednesday, 09:00 on. The number in the text message reveals a lost mail. */
export function weeklyJobs(channels: Channels, now: number): { jobs: NewJob[]; until: number } {
  const until = startOfWeek(now - SENT_AT);
  if (isTooLate(until, now)) return { jobs: [], until };
  const topic = seoulDate(until);
  const summary: NewJob = { kind: "weekly-summary", topic, preferredChannel: "mail" };
  const count: NewJob = { kind: "weekly-count", topic, preferredChannel: "sms" };
  return { jobs: channels.sms && channels.mail ? [summary, count] : [summary], until };
}

const isTooLate = (monday: number, now: number) => now >= monday + TOO_LATE_AFTER;

export const isTooLateToSend = ({ kind, topic }: Pick<Job, "kind" | "topic">, now: number) =>
  (kind === "weekly-summary" || kind === "weekly-count") && isTooLate(mondayOf(topic), now);

/** A summary covers the whole weeks since the previous summary, or since the oldest application. */
export async function readSummary({ topic }: Pick<Job, "topic">, { store, now }: DeliveryDeps) {
  const until = mondayOf(topic);
  const applications = (await store.list({ week: topic })).toReversed();
  const previous = await store.previousSummaryTopic(topic);
  const oldest = applications[0]?.submittedAt ?? until;
  const begin = previous === undefined ? startOfWeek(oldest) : mondayOf(previous);
  const from = Math.min(begin, until - WEEK);
  return { from, until, applications, isFirst: previous === undefined, now: now() };
}
