/** What is said at the start: where each kind of application goes, and what is not set. */
import { relative } from "node:path";
import { outboxFolder } from "#lib/channels/registry.ts";
import { BUSINESS_FACTS, type Config } from "#lib/config.ts";
import { business, SAMPLE_NAME } from "#lib/content/business.ts";
import { samples } from "#lib/content/gallery.ts";
import { camelName } from "#lib/environment.ts";

/** The settings of the business facts that are not set, so that no page can show them. */
export const missingFacts = (config: Config): string[] =>
  BUSINESS_FACTS.filter((name) => config[camelName(name)] === undefined);

/** A sentence each: where applications go, what no page can show, and what visitors should not see. */
export function bannerLines(config: Config): string[] {
  const { sms, mail, siteUrl, inquiryPhone, trustedProxyHops } = config;
  const missing = missingFacts(config);
  const outbox = relative(process.cwd(), outboxFolder(config)) || ".";
  // Nobody but this machine reaches such a site.
  const isLocal = new URL(siteUrl).hostname === "localhost";
  const sentences = [
    sms && "SMS: Twilio",
    mail && `Mail: SMTP by ${new URL(mail.smtpUrl).host}`,
    !sms &&
      !mail &&
      `SMS and mail are not configured: messages are written to ${outbox}, and go out once a channel is.`,
    !sms && mail && "SMS is not configured: its applications go out by mail, marked as such.",
    !mail && sms && "Mail is not configured: its applications go out by SMS, marked as such.",
    isLocal &&
      trustedProxyHops > 0 &&
      `SITE_URL is ${siteUrl}, and a proxy is in front: search engines and shared links are given an address that nobody can open.`,
    !isLocal &&
      inquiryPhone === business.inquiryPhone &&
      `INQUIRY_PHONE is not set: every page asks visitors to call ${inquiryPhone}.`,
    !isLocal &&
      business.name === SAMPLE_NAME &&
      "The business still has the invented name in lib/content/business.ts: write yours there.",
    !isLocal &&
      samples.length > 0 &&
      `${samples.length} pictures of the gallery are samples: change them in lib/content/gallery.ts.`,
    missing.length > 0 &&
      `Not set, so not shown in the footer and on the privacy page: ${missing.join(", ")}`,
  ];
  return sentences.filter((sentence) => typeof sentence === "string");
}
