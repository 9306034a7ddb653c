import { TWILIO_ACCOUNT } from "#testing/peers/twilio-peer.ts";

/** Facts that the owner states: the registration above every form's button, the promise in every receipt. */
export const OWNER_FACTS = {
  ACADEMY_REGISTRATION: "제12호",
  CALLBACK_PROMISE: "보통 두 시간 안에 전화드립니다.",
};

export const mailSettings = ({ url }: { url: string }): Record<string, string> => ({
  SMTP_URL: url,
  MAIL_FROM: "site@practice.example",
  MAIL_TO: "owner@practice.example",
});

export const smsSettings = ({ url }: { url: string }): Record<string, string> => ({
  SMS_TO: "010-9999-0000",
  TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
  TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
  TWILIO_FROM: "+82215880000",
  TWILIO_API_URL: url,
});
