import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, parseConfig } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { camelName, settingsSchema } from "#lib/environment.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";

const LOGIN = { user: "site", password: "s3#/?@%cret" };
const MAIL_SERVER = { host: "mail.example", port: 587, login: LOGIN };
const MAIL_SETTINGS = mailSettings(MAIL_SERVER);
const TWILIO = {
  ...smsSettings({ url: "https://sms.example" }),
  SMS_TO: "010-1111-2222, 01033334444",
};
const SQLITE_FILE_PATTERN = /^\/.*\/data\/applications\.db$/;
const SOCKET = "postgres://site:p%40w@/site?host=/cloudsql/practice:asia-northeast3:db";
const OTHER_NAME = "postgresql://a@[::1]/a";
const LINKS = "https://naver.example/place, https://blog.example/";

type Env = Record<string, string>;

const serverWith = (server: object) => ({ mail: { server } });
const TLS = { port: 465, secure: true };
const HANGUL = "xn--9p4b93e.xn--3e0b707e";
const TLS_ALONE = serverWith({ ...TLS, host: HANGUL });
const TO_ON_WIRE = [`b@${HANGUL}`, "r&d@c.kr"];
const ON_WIRE = { mail: { from: { name: "알림", address: `a@${HANGUL}` } } };
const VERIFIED = { naverSiteVerification: "abc_-1=" };
const VERIFICATIONS = [
  ...["abc_-1=", '<meta name="n" content="abc_-1=" />', "google-site-verification=abc_-1="],
];

type ParsedRow = [what: string, env: Env, settings: object];
const PARSED: ParsedRow[] = [
  ["an empty environment", {}, { siteUrl: "http://localhost:3000", port: 3000 }],
  ["a missing phone number", {}, { inquiryPhone: business.inquiryPhone }],
  ["missing channels", {}, { sms: undefined, mail: undefined, databaseUrl: undefined }],
  ["a missing database", {}, { databaseFile: expect.stringMatching(SQLITE_FILE_PATTERN) }],
  ["missing caps", {}, { smsHourlyLimit: 30, smsDailyLimit: 100 }],
  ["a missing switch and missing links", {}, { weeklySummary: true, businessLinks: [] }],
  ["blanks as missing values", { INQUIRY_PHONE: " ", PORT: "" }, parseConfig({})],
  [
    "a phone number in any notation",
    { INQUIRY_PHONE: "+82 10 1234 5678" },
    { inquiryPhone: "010-1234-5678" },
  ],
  [
    "an address as it goes over the wire",
    { ...MAIL_SETTINGS, MAIL_FROM: "알림 <a@연수.한국>" },
    ON_WIRE,
  ],
  [
    "two mail addresses",
    { ...MAIL_SETTINGS, MAIL_TO: "b@연수.한국, r&d@c.kr" },
    { mail: { to: TO_ON_WIRE } },
  ],
  ["both channels", { ...TWILIO, ...MAIL_SETTINGS }, { mail: { to: ["owner@practice.example"] } }],
  ["two recipients of texts", TWILIO, { sms: { to: ["+821011112222", "+821033334444"] } }],
  ["the sender of texts", TWILIO, { sms: { sender: { from: "+82215880000" } } }],
  ["a folder between spaces", { DATA_DIR: " /srv/a " }, { dataDir: "/srv/a" }],
  ["a database file", { DATABASE_URL: "file:/srv/site/a.db" }, { databaseFile: "/srv/site/a.db" }],
  [
    "the URL of a database file",
    { DATABASE_URL: "file:///srv/site/a.db" },
    { databaseFile: "/srv/site/a.db" },
  ],
  ["a URL that starts with postgresql:", { DATABASE_URL: OTHER_NAME }, { databaseUrl: OTHER_NAME }],
  // The smallest allowed cap: one text of four segments to each of two numbers.
  ["the lowest cap that is allowed", { ...TWILIO, SMS_HOURLY_LIMIT: "8" }, { smsHourlyLimit: 8 }],
  ["the login of a mail server", MAIL_SETTINGS, serverWith({ ...MAIL_SERVER, secure: false })],
  ["an address in brackets", { ...MAIL_SETTINGS, SMTP_HOST: "[::1]" }, serverWith({ host: "::1" })],
  ["spaces of a web page", { BUSINESS_NAME: "가\u00a0나\u3000다" }, { businessName: "가 나 다" }],
  ["square brackets", { FACT_BRAKE: "[a]" }, { factBrake: "［a］" }],
  [
    "the port of a mail server with TLS",
    { ...MAIL_SETTINGS, SMTP_HOST: "연수.한국", SMTP_PORT: "465" },
    TLS_ALONE,
  ],
  ["a Hangul address", { BUSINESS_EMAIL: "r&d@연수.한국" }, { businessEmail: "r&d@연수.한국" }],
  ...VERIFICATIONS.map(
    (code): ParsedRow => [`the verification ${code}`, { NAVER_SITE_VERIFICATION: code }, VERIFIED],
  ),
  ["a socket of Cloud SQL", { DATABASE_URL: SOCKET }, { databaseUrl: SOCKET }],
  ["links of the business", { BUSINESS_LINKS: LINKS }, { businessLinks: LINKS.split(", ") }],
  ["a switch that is on", { WEEKLY_SUMMARY: "on" }, { weeklySummary: true }],
  ["a switch that is off", { WEEKLY_SUMMARY: "off" }, { weeklySummary: false }],
];
test.for(PARSED)("the configuration parses %s", ([, env, settings]) => {
  expect(parseConfig(env)).toMatchObject(settings);
});

const ENCODING_ADVICE_PATTERN = /DATABASE_URL: .*\(# → %23, /;
const UNENCODED = ["#s3", "/s3", "?s3", "%s3", "%FFs3", "#/?s3"].flatMap<[Env, string, RegExp]>(
  (part) => [
    [
      { DATABASE_URL: `postgres://site:77889${part}@db:5432/site` },
      "DATABASE_URL",
      ENCODING_ADVICE_PATTERN,
    ],
    [
      { DATABASE_URL: `postgresql://7:77889${part}@db/a?sslmode=no` },
      "DATABASE_URL",
      ENCODING_ADVICE_PATTERN,
    ],
  ],
);
const NO_PORT = { ...MAIL_SETTINGS, SMTP_HOST: "mail.example:465", SMTP_PORT: "0" };
test.for<[env: Env, ...faults: (string | RegExp)[]]>([
  [{ SITE_URL: "ftp://x", PORT: "http", RETENTION_DAYS: "0" }, "SITE_URL", "PORT", "RETENTION"],
  [{ INQUIRY_PHONE: "02-1-2, 3", PRIVACY_DATE: "2026-02-30" }, /INQUIRY.* 하나만/, "PRIVACY_DATE"],
  [{ WEEKLY_SUMMARY: "ON" }, "WEEKLY_SUMMARY"],
  [{ SMS_TO: "01011112222" }, "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  [{ SMTP_HOST: "mail.example" }, "MAIL_FROM", "MAIL_TO"],
  [{ ...MAIL_SETTINGS, MAIL_FROM: "a@b.kr, c@d.kr", MAIL_TO: "신청 <a@>" }, "MAIL_FROM", "MAIL_TO"],
  [{ ...TWILIO, TWILIO_MESSAGING_SERVICE_SID: `MG${"0".repeat(32)}` }, /둘 가운데 하나/],
  [{ ...TWILIO, SMS_HOURLY_LIMIT: "7" }, "SMS_HOURLY_LIMIT"],
  [{ MESSENGER_URL: "javascript:alert(1)", BUSINESS_LINKS: "https://a.kr, blog" }, "MESS", "LINKS"],
  // A hosting panel passes on several lines.
  [{ MESSENGER_URL: "https://a.kr\nhttps://b.kr", SMS_TO: "01011112222;" }, "MESS", /SMS.*쉼표/],
  [
    { TWILIO_AUTH_TOKEN: "s3cret", DATABASE_URL: "mysql://site:s3cret@db/site" },
    /DATABASE_URL: file:.* postgres:/,
  ],
  [{ DATABASE_URL: "postgres://site:s3 cret@:db:/x" }, /DATABASE_URL: file:.* postgres:/],
  ...UNENCODED,
  [{ DATABASE_URL: "postgres://u:s3cret@one,two/db" }, "DATABASE_URL"],
  [{ DATABASE_URL: "postgres:db" }, "DATABASE_URL"],
  [{ DATA_DIR: "~/data", DATABASE_URL: "file:~/a.db" }, "DATA_DIR", "DATABASE_URL"],
  [{ DATA_DIR: "$HOME/data", DATABASE_URL: "file://srv/a.db" }, "DATA_DIR", "DATABASE_URL"],
  [{ BUSINESS_EMAIL: "a@", GOOGLE_SITE_VERIFICATION: "google1.html" }, "BUSINESS_EMAIL", "GOOGLE"],
  [{ BUSINESS_EMAIL: "이름 <a@b.kr>" }, "BUSINESS_EMAIL"],
  [{ ...MAIL_SETTINGS, SMTP_PASSWORD: "" }, "SMTP_USER, SMTP_PASSWORD"],
  [{ ...MAIL_SETTINGS, SMTP_HOST: "" }, "SMTP_HOST"],
  [{ ...MAIL_SETTINGS, SMTP_HOST: "smtps://u:s3cret@host" }, "SMTP_HOST"],
  [NO_PORT, "SMTP_HOST", "SMTP_PORT"],
  [{ SITE_URL: "https://ｐractice.test" }, "SITE_URL"],
  [{ HOSTNAME: "practice.example", BUSINESS_NAME: "??? ????" }, "HOSTNAME", "BUSINESS_NAME"],
  // Compose may pass on bytes of another encoding, and a hosting platform invisible characters.
  [{ BUSINESS_OWNER: "\ufffd", MAIL_TO: "a\u200b@b.kr" }, /OWNER: .*깨진 글자/, /TO: .*깨진 글자/],
  [{ ...MAIL_SETTINGS, SMTP_PASSWORD: "", SMTP_PASS: "s3cret" }, /SMTP_PASS: .*없는 설정/],
])("one error names every fault of the settings %j [42]", ([env, ...faults]) => {
  const message = configErrorOf(env);
  for (const fault of faults) expect(message).toMatch(fault);
  expect(message).not.toMatch(/s3|cret|77889/);
});

function configErrorOf(env: Env): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the configuration was taken");
}

test(".env.example explains every setting with its default", () => {
  const groups = readFileSync(".env.example", "utf8").matchAll(
    /((?:^#.*\n)+)((?:^[A-Z_0-9]+=\n?)+)/gm,
  );
  const documented: string[][] = Array.from(groups, ([, comment = "", names = ""]) => {
    const [, defaults] = /Default: ([^\n]+)\n$/.exec(comment) ?? [];
    return Array.from(names.matchAll(/^[A-Z_0-9]+/gm), ([name], index) => [
      `${name}`,
      defaults?.split(", ")[index] ?? "",
    ]);
  }).flat();
  expect(documented.map(([name]) => name).sort()).toEqual(Object.keys(settingsSchema.shape).sort());
  for (const [name = "", documentedValue = ""] of documented) {
    const standard = parseConfig({});
    expect([name, parseConfig({ [name]: documentedValue })]).toEqual([name, standard]);
    const defaultText = Object(standard)[camelName(name)]?.toString();
    if (defaultText) expect([name, documentedValue]).not.toEqual([name, ""]);
  }
});
