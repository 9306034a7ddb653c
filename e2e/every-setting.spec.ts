/**
 * Every setting has an effect on the real process: on what reaches the owner, the disk, the pages or the log. Two runs
 * with different settings are compared, so that no default passes for an effect.
 */
import type { Environment } from "#lib/environment.ts";
import { expect, withSite as test } from "#testing/browser/test.ts";
import { SMTP_LOGIN, SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { observe, type Seen } from "#testing/site/observed-site.ts";

/** A setting's values in the two runs, what tells its effect, and what is told of each run. */
interface Effect {
  set: [string, string];
  tells: (seen: Seen) => unknown;
  told: [unknown, unknown];
}

/** The first run alone has the setting. */
const onPages = (value: string): Effect => ({
  set: [value, ""],
  tells: ({ pages }) => pages.includes(value),
  told: [true, false],
});
/** No message arrives without it. */
const needed = (first: string, second: string, tells: Effect["tells"]): Effect => ({
  set: [first, second],
  tells,
  told: [true, true],
});
const hasTexts = ({ texts }: Seen) => texts.length > 0;
const hasMails = ({ mails }: Seen) => mails.length > 0;
const SERVICE = `MG${"0123456789abcdef".repeat(2)}`;
const [SID, TOKEN] = [TWILIO_ACCOUNT.accountSid, TWILIO_ACCOUNT.authToken];
const FOLDERS = "backups,builds,outbox";

/** A setting without a row does not compile. */
const effects = (
  [ours, theirs]: readonly [TwilioPeer, TwilioPeer],
  [open, guarded]: readonly [SmtpPeer, SmtpPeer],
  elsewhere: string,
) =>
  ({
    SITE_URL: onPages("https://odd.example"),
    INQUIRY_PHONE: onPages("010-7777-8888"),
    // Each server of a test has a folder and a port of its own.
    DATA_DIR: { set: ["", ""], tells: ({ folders }) => folders, told: [FOLDERS, FOLDERS] },
    PORT: { set: ["", ""], tells: ({ answers }) => answers, told: [true, true] },
    DATABASE_URL: {
      set: [`file:${elsewhere}`, ""],
      tells: ({ isBesideData }) => isBesideData,
      told: [false, true],
    },
    SMS_TO: {
      set: ["010-9999-1111", "010-9999-2222"],
      tells: ({ texts }) => texts[0]?.to,
      told: ["+821099991111", "+821099992222"],
    },
    TWILIO_ACCOUNT_SID: needed(SID, SID, hasTexts),
    TWILIO_AUTH_TOKEN: needed(TOKEN, TOKEN, hasTexts),
    TWILIO_API_URL: needed(ours.url, theirs.url, hasTexts),
    TWILIO_FROM: {
      set: ["+82215880000", ""],
      tells: ({ texts }) => texts[0]?.from,
      told: ["+82215880000", SERVICE],
    },
    TWILIO_MESSAGING_SERVICE_SID: {
      set: ["", SERVICE],
      tells: ({ texts }) => texts.every(({ from }) => from === SERVICE),
      told: [false, true],
    },
    SMS_HOURLY_LIMIT: { set: ["6", "50"], tells: (seen) => seen.textsInAnHour, told: [6, 10] },
    SMS_DAILY_LIMIT: { set: ["9", "60"], tells: (seen) => seen.textsInADay, told: [9, 20] },
    SMTP_URL: needed(open.url, "", hasMails),
    SMTP_HOST: needed("", "127.0.0.1", hasMails),
    SMTP_PORT: needed("", `${guarded.at().port}`, hasMails),
    SMTP_USER: needed("", SMTP_LOGIN.user, hasMails),
    SMTP_PASSWORD: needed("", SMTP_LOGIN.password, hasMails),
    MAIL_FROM: {
      set: ["odd@practice.example", "even@practice.example"],
      tells: ({ mails }) => mails.every(({ raw }) => raw.includes("From: odd@practice.example")),
      told: [true, false],
    },
    MAIL_TO: {
      set: ["a@practice.example", "b@practice.example, c@practice.example"],
      tells: ({ mails }) => [...new Set(mails.flatMap(({ envelopeTo }) => envelopeTo))].join(),
      told: ["a@practice.example", "b@practice.example,c@practice.example"],
    },
    WEEKLY_SUMMARY: {
      set: ["on", "off"],
      tells: ({ mails }) => mails.filter(({ parsed }) => parsed.subject?.includes("주간")).length,
      told: [1, 0],
    },
    TRUSTED_PROXY_HOPS: {
      set: ["1", "0"],
      tells: ({ proxies }) => proxies,
      told: ['{"configured":1,"seen":1,"fits":true}', '{"configured":0,"seen":1,"fits":false}'],
    },
    ADDRESS_REQUESTS_PER_MINUTE: {
      set: ["7", "1000"],
      tells: ({ refused }) => refused.indexOf(429),
      told: [7, -1],
    },
    ADDRESS_APPLICATIONS_PER_10_MINUTES: {
      set: ["4", "1000"],
      tells: ({ fromOne }) => fromOne.indexOf(429),
      told: [4, -1],
    },
    TOTAL_APPLICATIONS_PER_MINUTE: {
      set: ["40", "1000"],
      tells: ({ fromAll }) => fromAll.includes(429),
      told: [true, false],
    },
    RETENTION_DAYS: {
      set: ["10", "30"],
      tells: ({ old, pages }) => [...old, pages.includes("10일"), pages.includes("30일")].join(),
      told: [",,true,false", ",database backup outbox,false,true"],
    },
    BUSINESS_NAME: onPages("홀수 상호"),
    BUSINESS_OWNER: onPages("홀수 대표"),
    BUSINESS_REGISTRATION: onPages("111-11-11111"),
    BUSINESS_ADDRESS: onPages("경기도 홀수로 1"),
    BUSINESS_EMAIL: onPages("business@odd.example"),
    ACADEMY_REGISTRATION: onPages("제111호"),
    FACT_INSURANCE: onPages("홀수 보험"),
    FACT_BRAKE: onPages("홀수 브레이크"),
    FACT_INSTRUCTORS: onPages("홀수 강사"),
    FACT_REFUND: onPages("홀수 환불"),
    FACT_HOURS: onPages("홀수 시간"),
    FACT_PICKUP: onPages("홀수 만남"),
    FACT_FUEL: onPages("홀수 기름"),
    FACT_CHANGES: onPages("홀수 변경"),
    CALLBACK_PROMISE: onPages("홀수 시에 전화드립니다."),
    MESSENGER_URL: onPages("https://messenger.example/odd"),
    BUSINESS_LINKS: onPages("https://blog.example/odd"),
    PRIVACY_DATE: { ...onPages("2021년 3월 5일"), set: ["2021-03-05", ""] },
    PRIVACY_MAIL_PROCESSOR: onPages("홀수메일 주식회사"),
    PRIVACY_HOST_PROCESSOR: onPages("홀수호스팅 주식회사"),
    NAVER_SITE_VERIFICATION: onPages("naver-odd"),
    GOOGLE_SITE_VERIFICATION: onPages("google-odd"),
    HSTS_SUBDOMAINS: { ...onPages("includeSubDomains"), set: ["on", ""] },
    LOG_LEVEL: {
      set: ["warn", "info"],
      tells: ({ log }) => log.includes('"level":"info"'),
      told: [false, true],
    },
    HOSTNAME: { set: ["127.0.0.1", ""], tells: (seen) => seen.answersOthers, told: [false, true] },
  }) satisfies Record<keyof Environment, Effect>;

test("every setting has an effect", async ({}, testInfo) => {
  const twilio = [new TwilioPeer(), new TwilioPeer()] as const;
  const smtp = [new SmtpPeer(), new SmtpPeer({ login: true })] as const;
  for (const peer of [...twilio, ...smtp]) await peer.start();
  const table: Record<string, Effect> = effects(twilio, smtp, testInfo.outputPath("odd.db"));
  const run = (which: 0 | 1) => {
    const settings = Object.entries(table).map(([name, { set }]) => [name, set[which]] as const);
    return observe(Object.fromEntries(settings), twilio[which], smtp[which]);
  };
  const seen = await Promise.all([run(0), run(1)]);
  const told = (of: (effect: Effect) => unknown) =>
    Object.fromEntries(Object.entries(table).map(([name, effect]) => [name, of(effect)]));
  expect(told(({ tells }) => seen.map(tells))).toEqual(told((effect) => effect.told));
  for (const peer of [...twilio, ...smtp]) await peer.stop();
});
