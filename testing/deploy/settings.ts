/** What the owner would write into `.env`, for the machine that is set aside. */
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { smsSettings } from "#testing/settings.ts";

export const DOMAIN = "practice.example";
/** No example of the program's own: it must be nowhere in the image either. */
export const NUMBER = "010-7351-9264";
/** Must be nowhere in the image. */
export const SECRET = "a-token-of-the-peer";

/** Limits that nothing reaches here, and quotes as people write them. */
export function settings(twilio: TwilioPeer, apiUrl: string): Record<string, string> {
  return {
    SITE_URL: `https://${DOMAIN}`,
    INQUIRY_PHONE: NUMBER,
    ...smsSettings(twilio),
    TWILIO_API_URL: apiUrl,
    BUSINESS_NAME: "차근차근 운전연수",
    BUSINESS_OWNER: "김여주",
    BUSINESS_REGISTRATION: "123-45-67890",
    BUSINESS_ADDRESS: "경기도 여주시 세종로 1",
    BUSINESS_EMAIL: `owner@${DOMAIN}`,
    ACADEMY_REGISTRATION: "제1호",
    ADDRESS_REQUESTS_PER_MINUTE: "1000000",
    ADDRESS_APPLICATIONS_PER_10_MINUTES: "1000000",
    TOTAL_APPLICATIONS_PER_MINUTE: "1000000",
    SMS_HOURLY_LIMIT: "100000",
    SMS_DAILY_LIMIT: "100000",
    WEEKLY_SUMMARY: "off",
  };
}

/** The lines of a settings file. */
export const asLines = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join("");
