/** Who gets a notice, and what a channel is asked to send. */
import type { MessageContent } from "#lib/channels/channel.ts";
import { type ChannelName, PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { listAlarms } from "#lib/delivery/alarms.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { readSummary } from "#lib/delivery/weekly.ts";
import { isAcceptedOrDelivered } from "#lib/storage/outcomes.ts";
import type { NoticeWithMessages } from "#lib/storage/queries/notices.ts";
import type { Message, NoticeRow } from "#lib/storage/tables.ts";

interface DeliveryTarget {
  channel: ChannelName;
  recipient: string;
}

type NoticeToSend = Pick<NoticeRow, "kind" | "topic" | "preferredChannel"> & {
  suspicion?: string | undefined;
};

/** The recipients of a notice under the current settings, those on the preferred channel first. */
export function targetsFor(notice: NoticeToSend, channels: Channels): DeliveryTarget[] {
  // An alarm about a channel or a recipient is not sent to that channel or that recipient.
  const isAlarmAbout = (about: string) => notice.kind === "alarm" && notice.topic === about;
  return allowedChannels(notice, channels)
    .filter((channel) => !isAlarmAbout(channel))
    .flatMap((channel) =>
      (channels[channel]?.recipients ?? []).map((recipient) => ({ channel, recipient })),
    )
    .filter(({ channel, recipient }) => !isAlarmAbout(`${channel}:${recipient}`));
}

function allowedChannels(notice: NoticeToSend, channels: Channels): ChannelName[] {
  const { kind, preferredChannel, suspicion } = notice;
  // Suspicious applications and the weekly summary go out as text messages only if mail is not configured.
  if (channels.mail && (kind === "weekly" || suspicion !== undefined)) return ["mail"];
  const others = PROVIDER_CHANNELS.filter((channel) => channel !== preferredChannel);
  const mayBeFiled = kind === "application" || kind === "weekly";
  return [preferredChannel, ...others, ...(mayBeFiled ? (["file"] as const) : [])];
}

export const isTarget = (targets: readonly DeliveryTarget[], message: DeliveryTarget) =>
  targets.some(
    ({ channel, recipient }) => channel === message.channel && recipient === message.recipient,
  );

/** Undefined if the notice is no longer needed: its cause is gone, or its application was deleted. */
export async function composeMessage(
  { notice, messages }: NoticeWithMessages,
  message: Pick<Message, "channel">,
  deps: DeliveryDeps,
): Promise<MessageContent | undefined> {
  const { id, kind, topic, enqueuedAt, preferredChannel } = notice;
  if (kind === "alarm") {
    const alarm = (await listAlarms(deps)).find((each) => each.topic === topic);
    return alarm && { kind, topic, id: `${id}-${enqueuedAt}`, text: alarm.text };
  }
  if (kind === "weekly") return { kind, summary: await readSummary(notice, deps) };
  const application = await deps.store.find(notice.applicationId ?? "");
  if (application === undefined) return undefined;
  const hasShortenedText = messages.some(
    (each) => isAcceptedOrDelivered(each) && each.isShortened === 1,
  );
  if (hasShortenedText && message.channel === "mail") return { kind: "full-text", application };
  if (message.channel === preferredChannel || message.channel === "file")
    return { kind: "application", application };
  const preferred = messages.filter(({ channel }) => channel === preferredChannel);
  const failed = preferred.some(isAcceptedOrDelivered)
    ? (`${preferredChannel}-some` as const)
    : preferredChannel;
  const isCapped = preferred.some(({ state }) => state === "capped");
  return { kind: "application", application, insteadOf: isCapped ? "sms-over-cap" : failed };
}
