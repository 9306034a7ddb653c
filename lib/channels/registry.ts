/** CONTRIBUTING.md says what a new channel needs. */
import { join } from "node:path";
import type { Channel, ChannelDefinition } from "#lib/channels/channel.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { mail } from "#lib/channels/mail/smtp.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import { sms } from "#lib/channels/sms/twilio.ts";
import type { Config } from "#lib/config.ts";

export const CHANNEL_DEFINITIONS: Readonly<Record<ChannelName, ChannelDefinition>> = { sms, mail };

export interface Channels extends Partial<Record<ChannelName, Channel>> {
  writeFile: ReturnType<typeof openFileChannel>;
}

export function openChannels(config: Config): Channels {
  const writeFile = openFileChannel(fileChannelFolder(config));
  const opened = CHANNEL_NAMES.map((name) => [name, CHANNEL_DEFINITIONS[name].open(config)]);
  return { writeFile, ...Object.fromEntries(opened) };
}

export const fileChannelFolder = ({ dataDir }: Pick<Config, "dataDir">) => join(dataDir, "outbox");
