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

/** Settings that pages show. Each value is on some page exactly as here, or as in DISPLAYED_VALUES. */
export const VISIBLE_SETTINGS = {
  SITE_URL: "https://every.example",
  INQUIRY_PHONE: "010-4444-5555",
  BUSINESS_NAME: "설정한 상호",
  BUSINESS_OWNER: "설정한 대표",
  BUSINESS_REGISTRATION: "111-22-33333",
  BUSINESS_ADDRESS: "설정한 주소",
  BUSINESS_EMAIL: "every@business.example",
  ACADEMY_REGISTRATION: "제7777호",
  INSTRUCTOR_NAME: "설정한 이름",
  INSTRUCTOR_WORDS: "설정한 인사말",
  FACT_INSURANCE: "설정한 보험",
  FACT_INSURANCE_OWN: "설정한 자차 보험",
  FACT_BRAKE: "설정한 브레이크",
  FACT_INSTRUCTORS: "설정한 강사",
  FACT_REFUND: "설정한 환불",
  FACT_HOURS: "설정한 시간",
  FACT_PICKUP: "설정한 만나는 곳",
  FACT_FUEL: "설정한 기름값",
  FACT_FUEL_OWN: "설정한 자차 기름값",
  FACT_CHANGES: "설정한 변경",
  CALLBACK_PROMISE: "설정한 약속",
  MESSENGER_URL: "https://messenger.example/every",
  BUSINESS_LINKS: "https://blog.example/every",
  PRIVACY_DATE: "2026-10-09",
  PRIVACY_MAIL_PROCESSOR: "설정한 메일 회사",
  PRIVACY_HOST_PROCESSOR: "설정한 서버 회사",
  NAVER_SITE_VERIFICATION: "every-naver",
  GOOGLE_SITE_VERIFICATION: "every-google",
};
/** The text that pages display for a value, if the text differs from the value. */
export const DISPLAYED_VALUES: Partial<Record<string, string>> = {
  PRIVACY_DATE: "2026년 10월 9일",
};
