/** docs/add-a-channel.md says what a new channel needs. */
import { join } from "node:path";
import type { Channel, ChannelDefinition } from "#lib/channels/channel.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { mailDefinition } from "#lib/channels/mail/smtp.ts";
import { type ChannelName, PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { smsDefinition } from "#lib/channels/sms/twilio.ts";
import type { Config } from "#lib/config.ts";

export const CHANNEL_DEFINITIONS: Readonly<Record<ProviderChannel, ChannelDefinition>> = {
  sms: smsDefinition,
  mail: mailDefinition,
};

export type Channels = Partial<Record<ChannelName, Channel>>;

/** The channel `file` takes the messages while no other channel is configured. */
export function openChannels(config: Config): Channels {
  const channels: Channels = {};
  for (const name of PROVIDER_CHANNELS) {
    const channel = CHANNEL_DEFINITIONS[name].open(config);
    if (channel) channels[name] = channel;
  }
  if (PROVIDER_CHANNELS.some((name) => channels[name])) return channels;
  return { file: openFileChannel(fileChannelFolder(config)) };
}

export const fileChannelFolder = ({ dataDir }: Pick<Config, "dataDir">) => join(dataDir, "outbox");
