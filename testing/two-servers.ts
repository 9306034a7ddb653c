import { setTimeout as pause } from "node:timers/promises";
import { receiptIn } from "#lib/application/answer.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { asJson } from "#testing/form.ts";
import { administer, createDatabase, type PostgresServer } from "#testing/peers/postgres.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { mailSettings, smsSettings } from "#testing/settings.ts";
import { Site } from "#testing/site.ts";

/** Two servers on one new database of a PostgreSQL, with peers of their own. */
export class TwoServers {
  readonly twilio: TwilioPeer;
  readonly smtp: SmtpPeer;
  readonly databaseUrl: string;
  readonly sites: readonly [Site, Site];

  private constructor(
    databaseUrl: string,
    twilio: TwilioPeer,
    smtp: SmtpPeer,
    sites: [Site, Site],
  ) {
    this.databaseUrl = databaseUrl;
    this.twilio = twilio;
    this.smtp = smtp;
    this.sites = sites;
  }

  static async start(postgres: PostgresServer): Promise<TwoServers> {
    const [twilio, smtp] = [new TwilioPeer(), new SmtpPeer()];
    await Promise.all([twilio.start(), smtp.start()]);
    const databaseUrl = await createDatabase(postgres.url);
    const settings = { ...smsSettings(twilio), ...mailSettings(smtp), DATABASE_URL: databaseUrl };
    // Both start at the same time on an empty database: both want to make the tables.
    const sites = await Promise.all([Site.start(settings), Site.start(settings)]);
    return new TwoServers(databaseUrl, twilio, smtp, sites);
  }

  async stop(): Promise<void> {
    await Promise.all(this.sites.map((site) => site.stop()));
    await Promise.all([this.twilio.stop(), this.smtp.stop()]);
  }

  /** The address of one of the two, in turn. */
  urlOf(index: number): string {
    return this.sites[index % 2 === 0 ? 0 : 1].url;
  }

  /** The rows that a statement gives. */
  ask(statement: string): Promise<unknown[]> {
    return administer(this.databaseUrl, statement);
  }

  /** How many messages the owner has got about an application. */
  messagesOf(number: string): number {
    const shown = formatApplicationId(number);
    const texts = this.twilio.messages.filter(({ body }) => body.includes(shown));
    const mails = this.smtp.mails.filter(({ parsed }) => parsed.subject?.includes(shown));
    return texts.length + mails.length;
  }
}

/** Sends an application as a browser does: again, with its key, until it has a receipt; returns its number. */
export async function applyUntilReceived(
  url: string,
  name: string,
  key: string,
  route: "sms" | "mail",
): Promise<string> {
  for (;;) {
    const receipt = await fetch(`${url}/api/${route}/training-application`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: asJson({ name }),
      signal: AbortSignal.timeout(10_000),
    })
      .then(async (answer) => (answer.ok ? receiptIn(await answer.json()) : undefined))
      .catch(() => undefined);
    if (receipt) return receipt.applicationId;
    await pause(200);
  }
}
