import { join } from "node:path";
import type { MessageChannel, TextableMessage } from "#lib/channels/channel.ts";
import { type FileChannel, openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import type { Config } from "#lib/config.ts";

/** What can carry a message in this process; the file stands in where nothing else is configured. */
export interface Channels {
  sms?: MessageChannel<TextableMessage>;
  mail?: MessageChannel;
  file: FileChannel;
}

/** The folder for messages while no channel is configured. */
export function outboxFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "outbox");
}

export function openChannels(config: Config): Channels {
  const { hostname: host } = new URL(config.siteUrl);
  const nowhere = { from: `site@${host}`, to: [`owner@${host}`] };
  return {
    file: openFileChannel({ folder: outboxFolder(config), mail: config.mail ?? nowhere }),
    ...(config.sms ? { sms: openSmsChannel(config.sms) } : {}),
    ...(config.mail ? { mail: openMailChannel(config.mail) } : {}),
  };
}
