/** What is said at the start: the address, where each kind of application goes, and what is not set. */
import { relative } from "node:path";
import { outboxFolder } from "#lib/channels/carriers.ts";
import { BUSINESS_FACTS, type Config } from "#lib/config.ts";
import { business, SAMPLE_NAME } from "#lib/content/business.ts";
import { samples } from "#lib/content/gallery.ts";
import { camelName } from "#lib/environment.ts";
import { CARRIER_NAMES } from "#lib/storage/tables.ts";

/** The settings of the business facts that are not set, so that no page can show them. */
export const missingFacts = (config: Config): string[] =>
  BUSINESS_FACTS.filter((name) => config[camelName(name)] === undefined);

/** Where each kind of application goes, and which business facts no page can show. */
export function bannerLines(config: Config): string[] {
  const missing = missingFacts(config);
  return [
    ...channelLines(config),
    ...embarrassments(config),
    ...(missing.length > 0
      ? [`Not set, so not shown in the footer and on the privacy page: ${missing.join(", ")}`]
      : []),
  ];
}

/** What should not be seen by visitors, and is, once others than this machine reach the site. */
function embarrassments({ siteUrl, inquiryPhone, trustedProxyHops }: Config): string[] {
  const isLocal = new URL(siteUrl).hostname === "localhost";
  if (isLocal) {
    return trustedProxyHops > 0
      ? [
          `SITE_URL is ${siteUrl}, and a proxy is in front: search engines and shared links are given an address that nobody can open.`,
        ]
      : [];
  }
  return [
    ...(inquiryPhone === business.inquiryPhone
      ? [`INQUIRY_PHONE is not set: every page asks visitors to call ${inquiryPhone}.`]
      : []),
    ...(business.name === SAMPLE_NAME
      ? ["The business still has the invented name in lib/content/business.ts: write yours there."]
      : []),
    ...(samples.length > 0
      ? [
          `${samples.length} pictures of the gallery are samples: change them in lib/content/gallery.ts.`,
        ]
      : []),
  ];
}

function channelLines(config: Config): string[] {
  const { sms, mail } = config;
  if (CARRIER_NAMES.every((name) => config[name] === undefined)) {
    const folder = relative(process.cwd(), outboxFolder(config)) || ".";
    return [
      `SMS and mail are not configured: messages are written to ${folder}, and go out once a channel is.`,
    ];
  }
  return [
    sms ? "SMS: Twilio" : "SMS is not configured: its applications go out by mail, marked as such.",
    mail
      ? `Mail: SMTP by ${new URL(mail.smtpUrl).host}`
      : "Mail is not configured: its applications go out by SMS, marked as such.",
  ];
}

/** The same for a person at a terminal. */
export function welcome(config: Config, port: number): string {
  const lines = [
    "",
    `The site is ready at http://localhost:${port}`,
    "",
    ...bannerLines(config),
    "",
    "Ctrl+C stops it.",
    "",
  ];
  return lines.map((line) => `${line === "" ? "" : `  ${line}`}\n`).join("");
}
