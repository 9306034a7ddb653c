/** Every way to the owner. A new one is a folder like `sms/`, its settings, its name, its words, and a row here. */
import { join } from "node:path";
import type { CarrierKind, MessageCarrier } from "#lib/channels/carrier.ts";
import { openFileCarrier } from "#lib/channels/file.ts";
import { mail } from "#lib/channels/mail/smtp.ts";
import { sms } from "#lib/channels/sms/twilio.ts";
import type { Config } from "#lib/config.ts";
import { CARRIER_NAMES, type Carrier } from "#lib/storage/tables.ts";

export const CARRIERS: Readonly<Record<Carrier, CarrierKind>> = { sms, mail };

/** What can carry a message in this process; the file stands in where nothing else is configured. */
export interface Carriers extends Partial<Record<Carrier, MessageCarrier>> {
  file: ReturnType<typeof openFileCarrier>;
}

export function openCarriers(config: Config): Carriers {
  const { hostname: host } = new URL(config.siteUrl);
  const nowhere = { from: `site@${host}`, to: [`owner@${host}`] };
  const file = openFileCarrier(outboxFolder(config), config.mail ?? nowhere);
  const opened: Carriers = { file };
  for (const name of CARRIER_NAMES) {
    const carrier = CARRIERS[name].open(config);
    if (carrier) opened[name] = carrier;
  }
  return opened;
}

/** The folder for messages while no carrier is configured. */
export function outboxFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "outbox");
}
