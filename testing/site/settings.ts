import type { MailServer } from "#lib/addresses.ts";
import { TWILIO_ACCOUNT } from "#testing/peers/twilio-peer.ts";

/** Facts that the owner states: the registration above every form's button, the promise in every receipt. */
export const STATED_SETTINGS = {
  ACADEMY_REGISTRATION: "제12호",
  CALLBACK_PROMISE: "보통 두 시간 안에 전화드립니다.",
};

export const mailSettings = ({ host, port, login }: Omit<MailServer, "secure">) => ({
  SMTP_HOST: host,
  SMTP_PORT: `${port}`,
  SMTP_USER: login?.user ?? "",
  SMTP_PASSWORD: login?.password ?? "",
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

/** Settings that pages show exactly as here. The table of app/configured.test.ts has the others. */
export const VISIBLE_SETTINGS = {
  SITE_URL: "https://every.example",
  INQUIRY_PHONE: "010-4444-5555",
  BUSINESS_NAME: "설정한 상호",
  BUSINESS_OWNER: "설정한 대표",
  BUSINESS_REGISTRATION: "111-22-33333",
  BUSINESS_ADDRESS: "설정한 주소",
  BUSINESS_EMAIL: "every@business.example",
  INSTRUCTOR_NAME: "설정한 이름",
  INSTRUCTOR_WORDS: "설정한 인사말",
  BUSINESS_LINKS: "https://blog.example/every",
  NAVER_SITE_VERIFICATION: "every-naver",
  GOOGLE_SITE_VERIFICATION: "every-google",
};
