/** The settings of the site on the machine that is set aside. */
import type { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { mailSettings, smsSettings } from "#testing/settings.ts";

export const DOMAIN = "practice.example";
export const DATA = "/var/lib/driving-practice";
const UNLIMITED = "1000000";

/** What the owner would write into the settings. */
export function settings(twilio: TwilioPeer, smtp: SmtpPeer): string {
  const lines = {
    SITE_URL: `https://${DOMAIN}`,
    INQUIRY_PHONE: "010-1234-5678",
    DATA_DIR: DATA,
    HOSTNAME: "127.0.0.1",
    TRUSTED_PROXY_HOPS: "1",
    ...smsSettings(twilio),
    ...mailSettings(smtp),
    BUSINESS_NAME: "차근차근 운전연수",
    BUSINESS_OWNER: "김여주",
    BUSINESS_REGISTRATION: "123-45-67890",
    BUSINESS_ADDRESS: "경기도 여주시 세종로 1",
    BUSINESS_EMAIL: `owner@${DOMAIN}`,
    ACADEMY_REGISTRATION: "제1호",
    ADDRESS_REQUESTS_PER_MINUTE: UNLIMITED,
    ADDRESS_APPLICATIONS_PER_10_MINUTES: UNLIMITED,
    TOTAL_APPLICATIONS_PER_MINUTE: UNLIMITED,
    SMS_HOURLY_LIMIT: "100000",
    SMS_DAILY_LIMIT: "100000",
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join("");
}
