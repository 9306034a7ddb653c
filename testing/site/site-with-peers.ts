import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventually } from "#testing/browser/eventually.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { Site } from "#testing/site/site.ts";

export interface Parts {
  site: Site;
  twilio: TwilioPeer;
  smtp: SmtpPeer;
}

/** A server with peers of its own for both channels, so that a test knows all that it sends. */
export async function withSite(
  env: Record<string, string>,
  use: (parts: Parts) => Promise<void>,
): Promise<void> {
  const twilio = new TwilioPeer();
  const smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  const site = await Site.start({ ...smsSettings(twilio), ...mailSettings(smtp), ...env });
  try {
    await use({ site, twilio, smtp });
  } finally {
    await site.stop();
    await Promise.all([twilio.stop(), smtp.stop()]);
  }
}

/** The first column of the first row that a statement gives, in the database of a server that may run. */
export function inDatabase(site: Site, statement: string): unknown {
  using database = new DatabaseSync(join(site.dataDir, "applications.db"));
  return Object.values(database.prepare(statement).get() ?? {})[0];
}

const HELD = "SELECT 1 FROM attempts WHERE job_id = jobs.id AND outcome = 'accepted'";
const UNTOLD = "state NOT IN ('done', 'filed')";

/**
 * Waits until everything has gone out: what has by then is all that does. The provider may not have confirmed yet that
 * a text message has arrived.
 */
export async function allSent(site: Site): Promise<void> {
  await none(site, `FROM jobs WHERE ${UNTOLD} AND NOT EXISTS (${HELD})`);
}

/**
 * How many applications came under this name. Waits until all of them have gone out: no more messages come after
 * that.
 */
export async function sentUnder(site: Site, name: string): Promise<number> {
  const theirs = `FROM applications JOIN jobs USING (application_id) WHERE name = '${name}'`;
  await none(site, `${theirs} AND ${UNTOLD} AND NOT EXISTS (${HELD})`);
  return Number(inDatabase(site, `SELECT count(*) ${theirs}`));
}

async function none(site: Site, which: string): Promise<void> {
  await eventually(() => inDatabase(site, `SELECT count(*) ${which}`)).toBe(0);
}
