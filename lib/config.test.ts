import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, parseConfig } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { environment } from "#lib/environment.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";

const SMTP_URL = "smtp://user:pass@mail.example:587";
const MAIL = mailSettings({ url: SMTP_URL });
const TWILIO = {
  ...smsSettings({ url: "https://sms.example" }),
  SMS_TO: "010-1111-2222, 01033334444",
};
const NAME = "차근차근 운전연수";
const SQLITE = /^\/.*\/data\/applications\.db$/;
const OTHER_NAME = "postgresql://a@[::1]/a";
const PROMISE = "평일 오전 9시부터 오후 8시 사이에 전화드립니다.";
const LINKS = "https://naver.example/place, https://blog.example/";

type Env = Record<string, string>;

test.for<[what: string, env: Env, settings: object]>([
  ["nothing, and the site runs", {}, { siteUrl: "http://localhost:3000", port: 3000 }],
  ["nothing for a number", {}, { inquiryPhone: business.inquiryPhone }],
  ["nothing for a channel", {}, { sms: undefined, mail: undefined, databaseUrl: undefined }],
  ["nothing for a database", {}, { databaseFile: expect.stringMatching(SQLITE) }],
  ["nothing for the caps", {}, { smsHourlyLimit: 30, smsDailyLimit: 100 }],
  ["nothing that nobody promised", {}, { hstsSubdomains: false, businessLinks: [] }],
  ["blanks", { INQUIRY_PHONE: " ", PORT: "" }, parseConfig({})],
  ["quoted blanks", { INQUIRY_PHONE: '" "' }, parseConfig({})],
  // As docker run --env-file hands them on.
  [
    "takes quotes off a value",
    { PORT: '"3001"', BUSINESS_NAME: `'${NAME}'` },
    { port: 3001, businessName: NAME },
  ],
  ["any number", { INQUIRY_PHONE: "+82 10 1234 5678" }, { inquiryPhone: "010-1234-5678" }],
  [
    "addresses as they go over the wire",
    { ...TWILIO, ...MAIL, MAIL_FROM: "알림 <a@연수.한국>", MAIL_TO: "b@연수.한국, r&d@c.kr" },
    {
      mail: {
        from: { name: "알림", address: "a@xn--9p4b93e.xn--3e0b707e" },
        to: ["b@xn--9p4b93e.xn--3e0b707e", "r&d@c.kr"],
      },
    },
  ],
  ["both channels", { ...TWILIO, ...MAIL }, { mail: { to: ["owner@practice.example"] } }],
  ["two numbers", TWILIO, { sms: { to: ["+821011112222", "+821033334444"] } }],
  ["a sender", TWILIO, { sms: { sender: { from: "+82215880000" } } }],
  ["a file", { DATABASE_URL: "file:/srv/site/a.db" }, { databaseFile: "/srv/site/a.db" }],
  ["a file's URL", { DATABASE_URL: "file:///srv/site/a.db" }, { databaseFile: "/srv/site/a.db" }],
  ["a PostgreSQL", { DATABASE_URL: "postgres://a:b@db/a" }, { databaseUrl: "postgres://a:b@db/a" }],
  ["its other name", { DATABASE_URL: OTHER_NAME }, { databaseUrl: OTHER_NAME }],
  // Two numbers, and four segments at most to each.
  ["the least cap", { ...TWILIO, SMS_HOURLY_LIMIT: "8" }, { smsHourlyLimit: 8 }],
  ["a promise", { CALLBACK_PROMISE: PROMISE }, { callbackPromise: PROMISE }],
  ["links", { BUSINESS_LINKS: LINKS }, { businessLinks: LINKS.split(", ") }],
  ["a switch", { HSTS_SUBDOMAINS: "on" }, { hstsSubdomains: true, weeklySummary: true }],
  ["another", { WEEKLY_SUMMARY: "off" }, { hstsSubdomains: false, weeklySummary: false }],
])("the configuration reads %s", ([, env, settings]) => {
  expect(parseConfig(env)).toMatchObject(settings);
});

const PERCENT = /: .*% itself is (written )?%25/;
test.for<[env: Env, ...faults: (string | RegExp)[]]>([
  [{ SITE_URL: "ftp://x", PORT: "http" }, "SITE_URL", "PORT"],
  [{ INQUIRY_PHONE: "call me", PRIVACY_DATE: "2026-02-30" }, "INQUIRY_PHONE", "PRIVACY_DATE"],
  [{ HSTS_SUBDOMAINS: "yes", WEEKLY_SUMMARY: "ON" }, "HSTS_SUBDOMAINS", "WEEKLY_SUMMARY"],
  [{ SMS_TO: "01011112222" }, "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  [{ SMTP_URL }, "MAIL_FROM", "MAIL_TO"],
  [{ ...MAIL, MAIL_FROM: "a@b.kr, c@d.kr", MAIL_TO: "신청 <a@>" }, "MAIL_FROM", "MAIL_TO"],
  [{ ...TWILIO, TWILIO_MESSAGING_SERVICE_SID: `MG${"0".repeat(32)}` }, "only one of them"],
  [{ ...TWILIO, SMS_HOURLY_LIMIT: "7" }, "SMS_HOURLY_LIMIT"],
  [{ MESSENGER_URL: "javascript:alert(1)" }, "MESSENGER_URL"],
  [{ BUSINESS_LINKS: "https://a.example, blog" }, "BUSINESS_LINKS.1"],
  [{ TWILIO_AUTH_TOKEN: "s3cret", SMTP_URL: "http://u:s3cret@host" }, "SMTP_URL"],
  [{ DATABASE_URL: "mysql://site:s3cret@db/site" }, "DATABASE_URL: must be file:"],
  [{ DATABASE_URL: "postgres://site:s3 cret@:db:/x" }, "DATABASE_URL: must be file:"],
  [{ ...MAIL, SMTP_URL: "smtp://site:s3%cret@mail.example:587" }, "SMTP_URL", PERCENT],
  [{ ...MAIL, SMTP_URL: "smtp://site:s3%FFcret@mail.example:587" }, "SMTP_URL", PERCENT],
  [{ DATABASE_URL: "postgres://site:s3%cret@db/site" }, "DATABASE_URL", PERCENT],
])("of %j one message names every fault, and never puts a secret into it", ([env, ...faults]) => {
  const message = messageOf(env);
  for (const fault of faults) expect(message).toMatch(fault);
  expect(message).not.toMatch(/s3|cret/);
});

function messageOf(env: Env): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the configuration was taken");
}

test(".env.example names every setting that the program reads, and no other", () => {
  const lines = readFileSync(".env.example", "utf8").matchAll(/^([A-Z_0-9]+)=/gm);
  const documented = Array.from(lines, ([, name]) => name);
  expect(documented.sort()).toEqual(Object.keys(environment.shape).sort());
});
