import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventually } from "#testing/browser/eventually.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { Site } from "#testing/site/site.ts";

export interface SiteWithPeers {
  site: Site;
  twilio: TwilioPeer;
  smtp: SmtpPeer;
}

/** Runs a server with its own peers for both channels, so that a test sees every message. */
export async function runWithSite(
  env: Record<string, string>,
  use: (parts: SiteWithPeers) => Promise<void>,
): Promise<void> {
  const twilio = new TwilioPeer();
  const smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  const site = await Site.start({
    ...smsSettings(twilio),
    ...mailSettings(smtp.mailServer()),
    ...env,
  });
  try {
    await use({ site, twilio, smtp });
  } finally {
    await site.discard();
    await Promise.all([twilio.stop(), smtp.stop()]);
  }
}

/** Runs a statement on the database of a running server, and returns the first column of the first row. */
export function queryDatabase(site: Site, statement: string): unknown {
  using database = new DatabaseSync(join(site.dataDir, "applications.db"));
  return Object.values(database.prepare(statement).get() ?? {})[0];
}

/** Waits until all applications with this name have been sent, and returns how many there are. */
export async function countAfterSending(site: Site, name: string): Promise<number> {
  const theirs = `SELECT count(*) FROM applications JOIN notices USING (application_id) WHERE name = '${name}'`;
  // An accepted text counts as sent, because the provider may not have confirmed it yet.
  const unsent = `${theirs} AND state NOT IN ('done', 'filed')
    AND NOT EXISTS (SELECT 1 FROM messages WHERE notice_id = notices.id AND messages.state = 'accepted')`;
  await eventually(() => queryDatabase(site, unsent)).toBe(0);
  return Number(queryDatabase(site, theirs));
}
