import type { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, type TwilioPeer } from "#testing/peers/twilio-peer.ts";

/** The settings with which a server sends its mails to this peer. */
export function mailSettings(smtp: SmtpPeer): Record<string, string> {
  return {
    SMTP_URL: smtp.url,
    MAIL_FROM: "site@practice.example",
    MAIL_TO: "owner@practice.example",
  };
}

/** The settings with which a server sends its text messages to this peer. */
export function smsSettings(twilio: TwilioPeer): Record<string, string> {
  return {
    SMS_TO: "010-9999-0000",
    TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
    TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    TWILIO_FROM: "+82215880000",
    TWILIO_API_URL: twilio.url,
  };
}
