import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventually } from "#testing/eventually.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { mailSettings, smsSettings } from "#testing/settings.ts";
import { Site } from "#testing/site.ts";

interface Parts {
  site: Site;
  twilio: TwilioPeer;
  smtp: SmtpPeer;
}

/** A server with peers of its own, so that a test knows all that it sends. Both channels, unless told otherwise. */
export async function withSite(
  env: Record<string, string>,
  use: (parts: Parts) => Promise<void>,
  channels = (twilio: TwilioPeer, smtp: SmtpPeer): Record<string, string> => ({
    ...smsSettings(twilio),
    ...mailSettings(smtp),
  }),
): Promise<void> {
  const twilio = new TwilioPeer();
  const smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  const site = await Site.start({ ...channels(twilio, smtp), ...env });
  try {
    await use({ site, twilio, smtp });
  } finally {
    await site.stop();
    await Promise.all([twilio.stop(), smtp.stop()]);
  }
}

/** The first column of the first row that a statement gives, in the database of a server that may run. */
export function inDatabase(site: Site, statement: string): unknown {
  using database = new DatabaseSync(join(site.dataDir, "applications.db"), { timeout: 5_000 });
  return Object.values(database.prepare(statement).get() ?? {})[0];
}

/**
 * Waits until the owner has everything, and nothing is on its way any more: what has gone out by then is all
 * that goes out.
 */
export async function allDelivered(site: Site): Promise<void> {
  await noneBut(site, "'delivered', 'filed'");
}

/** The same, but the provider may not have confirmed yet that a text message has arrived. */
export async function allSent(site: Site): Promise<void> {
  await noneBut(site, "'delivered', 'filed', 'sent'");
}

/**
 * How many applications came under this name. Waits until all of them have gone out: no more messages come after
 * that.
 */
export async function sentUnder(site: Site, name: string): Promise<number> {
  const theirs = `FROM applications JOIN deliveries USING (application_id) WHERE name = '${name}'`;
  const open = `SELECT count(*) ${theirs} AND state NOT IN ('delivered', 'filed', 'sent')`;
  await eventually(() => inDatabase(site, open), { timeout: 60_000 }).toBe(0);
  return Number(inDatabase(site, `SELECT count(*) ${theirs}`));
}

async function noneBut(site: Site, states: string): Promise<void> {
  const others = `SELECT count(*) FROM deliveries WHERE state NOT IN (${states})`;
  await eventually(() => inDatabase(site, others), { timeout: 60_000 }).toBe(0);
}
