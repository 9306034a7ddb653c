/** What a job is about: who may carry it, and what the owner reads. */
import type { OwnerMessage } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { Action } from "#lib/delivery/decide.ts";
import { summaryOf, type WeekNeeds } from "#lib/delivery/weekly.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/storage/tables.ts";

/** `alarm:sms:+8210…` → `alarm`, and what the alarm is about. */
export function subjectOf({ subject }: Pick<Job, "subject">) {
  const [kind = "", ...rest] = subject.split(":");
  return { kind, name: rest.join(":") };
}

type Routed = Pick<Job, "subject" | "first" | "applications">;

/** Who gets a job by which channel, as the settings are now; the number or address that an alarm is about gets none. */
export function routesOf(job: Routed, channels: Channels) {
  const { subject, first } = job;
  const recipients: Partial<Record<ChannelName, string[]>> = {};
  for (const channel of CHANNEL_NAMES) {
    const own = new Set(channels[channel]?.recipients);
    recipients[channel] = [...own].filter((to) => subject !== `alarm:${channel}:${to}`);
  }
  const others = CHANNEL_NAMES.filter((channel) => channel !== first);
  const order = [first, ...(hasOneWay(job, channels) ? [] : others)].filter(
    (channel) => subject !== `alarm:${channel}` && recipients[channel]?.length,
  );
  return { order, recipients };
}

/** What looks automated costs a text only where nothing else is there to carry it. */
function hasOneWay(job: Routed, channels: Channels): boolean {
  if (job.applications[0]?.suspicion !== undefined && channels.mail) return true;
  return ["digest", "witness"].includes(subjectOf(job).kind);
}

/** What the owner reads; undefined when there is nothing left to tell. */
export async function messageOf(
  job: Job,
  { insteadOf, whole }: Pick<Extract<Action, { do: "send" }>, "insteadOf" | "whole">,
  needs: WeekNeeds & { channels: Channels },
): Promise<OwnerMessage | undefined> {
  const { kind, name } = subjectOf(job);
  const [application] = job.applications;
  switch (kind) {
    case "application": {
      if (application === undefined) return undefined;
      const wished = application.suspicion ? "mail" : application.route;
      const missing = needs.channels[wished] || whole ? undefined : wished;
      return { kind, application, insteadOf: insteadOf ?? missing, whole };
    }
    case "digest":
      return application && { kind, id: name, applications: job.applications };
    case "alarm":
      return { kind, about: name, id: `${job.id}-${job.attemptsAfter}`, text: job.payload ?? "" };
    case "witness":
      return { kind, summary: await summaryOf(job, needs) };
    default:
      return { kind: "weekly", summary: await summaryOf(job, needs), insteadOf };
  }
}
