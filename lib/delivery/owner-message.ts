import type { FailoverReason } from "#lib/channels/channel.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { readSummary } from "#lib/delivery/weekly.ts";
import type { ClosedAttempt } from "#lib/storage/queries/attempts.ts";
import type { NewJob } from "#lib/storage/queries/enqueue.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { isReached } from "#lib/storage/queries/outcomes.ts";

type JobToSend = NewJob & { application?: Job["application"] };

/** An alarm about a channel or a recipient is not sent to that channel or that recipient. */
export function channelsForJob(job: JobToSend, channels: Channels) {
  const isAlarmAbout = (about: string) => job.kind === "alarm" && job.topic === about;
  const recipients: Partial<Record<ChannelName, string[]>> = {};
  for (const channel of CHANNEL_NAMES) {
    const own = channels[channel]?.recipients ?? [];
    recipients[channel] = own.filter((to) => !isAlarmAbout(`${channel}:${to}`));
  }
  const order = allowedChannels(job, channels).filter(
    (channel) => !isAlarmAbout(channel) && recipients[channel]?.length,
  );
  return { channels: order, recipients };
}

function allowedChannels({ kind, preferredChannel, application }: JobToSend, channels: Channels) {
  const others = CHANNEL_NAMES.filter((channel) => channel !== preferredChannel);
  // Suspicious applications become text messages only if mail is not configured.
  const isMailOnly =
    kind === "full-text" ||
    (channels.mail && (kind === "weekly-summary" || application?.suspicion !== undefined));
  if (isMailOnly) return ["mail" as const];
  return kind === "weekly-count" ? ["sms" as const] : [preferredChannel, ...others];
}

/** A job for the full text by mail follows each shortened text message that the provider accepted. */
export function fullTextJobs(job: Job, closed: readonly ClosedAttempt[], channels: Channels) {
  const { kind, application, applicationId, topic, repeats, attemptsAfter } = job;
  if (kind !== "application" || !application || !channels.mail) return [];
  const isShortened = closed.some(
    ({ channel, outcome }) =>
      isReached(outcome) && channels[channel]?.isShortened({ kind, application }),
  );
  if (!isShortened) return [];
  const own = { topic: `${topic}-${repeats}`, applicationId, repeats, attemptsAfter };
  return [{ kind: "full-text" as const, preferredChannel: "mail" as const, ...own }];
}

/** Undefined if the application was deleted meanwhile. */
export async function buildMessage(job: Job, deps: DeliveryDeps, insteadOf?: FailoverReason) {
  const { kind, topic, application, preferredChannel, text = "" } = job;
  if (kind === "alarm") return { kind, about: topic, id: `${job.id}-${job.enqueuedAt}`, text };
  if (kind !== "application" && kind !== "full-text")
    return { kind, summary: await readSummary(job, deps) };
  const missing = deps.channels[preferredChannel] ? undefined : preferredChannel;
  return application && { kind, application, insteadOf: insteadOf ?? missing };
}
