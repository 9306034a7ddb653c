import { join } from "node:path";
import type { MessageChannel } from "#lib/channels/channel.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail.ts";
import { openSmsChannel } from "#lib/channels/sms.ts";
import type { Config } from "#lib/config.ts";
import type { Carrier } from "#lib/storage/store.ts";

/** What can carry a message in this process; the file always can. */
export type Channels = Partial<Record<Carrier, MessageChannel>> & { file: MessageChannel };

/** The folder for the messages of channels that are not configured. */
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
