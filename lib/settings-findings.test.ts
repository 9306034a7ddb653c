import { expect, test } from "vitest";
import { BUSINESS_SETTINGS, parseConfig } from "#lib/config.ts";
import { type CdnMismatch, settingsFindings } from "#lib/settings-findings.ts";
import { isLocalSite } from "#lib/site-address.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";

const GOOD = {
  SITE_URL: "https://practice.example",
  INQUIRY_PHONE: "010-1234-5678",
  HOSTNAME: "127.0.0.1",
  INSTRUCTOR_NAME: "김연수 강사",
  ...Object.fromEntries(BUSINESS_SETTINGS.map((name) => [name, "a@practice.example"])),
  ...mailSettings({ host: "localhost", port: 587 }),
  ...smsSettings({ url: "https://sms.example" }),
};
const NO_MAIL = { SMTP_HOST: "", MAIL_FROM: "", MAIL_TO: "" };
const NO_SMS = Object.fromEntries(Object.keys(smsSettings({ url: "" })).map((name) => [name, ""]));

function findingsOf(changes: Record<string, string> = {}, mismatch?: CdnMismatch): string[] {
  const note = mismatch && { at: Date.now(), value: JSON.stringify(mismatch) };
  const findings = settingsFindings(parseConfig({ ...GOOD, ...changes }), note);
  return findings.map(({ level, topic, sentence }) => `${level} ${topic}: ${sentence}`);
}
/** The business name and the pictures of the code are samples, so these findings always come. */
const samples = findingsOf();

test("complete settings give warnings about sample content only", () => {
  expect(samples).toEqual([
    "ok delivery: 신청은 문자와 메일로 나갑니다.",
    "warn pages: 차근차근 운전연수는 예시로 지은 상호입니다. lib/content/business.ts의 name에 우리 상호를 적고 다시 빌드해 주세요. BUSINESS_NAME에는 사업자등록증의 상호를 넣습니다.",
    expect.stringMatching(/^warn pages: 갤러리의 그림 \d+장이 예시입니다\(.+\)\. .+바꿔 주세요\.$/),
  ]);
});

const LOCAL_SITE_PATTERN =
  /^unset pages: SITE_URL이 .+이어서 .+없는 주소를 가리킵니다\. .+시작해 주세요\.$/;
const NO_HTTPS_PATTERN = /^fault pages: SITE_URL이 https가 아니어서 .+주세요\.$/;
const PLAIN_TEXT_PATTERN = /^warn storage: DATABASE_URL.+암호화되지 않고.+sslmode=verify-full/;
const OPEN_PROXY_PATTERN = /^warn proxy: 앞에 둔 서비스를 거치지 않고도 .+허용해 주세요\.$/;
const NO_ACADEMY_PATTERN =
  /^warn pages: 학원 등록번호가 없습니다\. 도로교통법 제116조.+ACADEMY_REGISTRATION/;
const NO_OWNER_PATTERN = /^warn pages: 비어 있는 사업자 정보: BUSINESS_OWNER\. .+시작해 주세요\.$/;
const FOREIGN_SENDER_PATTERN =
  /^fault sms: TWILIO_FROM의 010-9999-0000은 Twilio에서 받은 번호가 아닙니다\. /;

test.each([
  [{ SITE_URL: "http://localhost:3000" }, LOCAL_SITE_PATTERN],
  [{ SITE_URL: "http://practice.example" }, NO_HTTPS_PATTERN],
  [{ HOSTNAME: "", PUBLIC_PROXIES: "1" }, OPEN_PROXY_PATTERN],
  [{ INQUIRY_PHONE: "" }, /^unset pages: 문의 전화가 예시 번호 010-0000-0000입니다\. /],
  [{ INQUIRY_PHONE: "031-880-0000" }, /^warn pages: 문의 전화 031-880-0000은 휴대폰 번호가 아니/],
  [{ INQUIRY_PHONE: "1588-1234" }, /^warn pages: 문의 전화 1588-1234는 휴대폰 번호가 아니어서/],
  [{ SMS_TO: "031-880-0004" }, /^fault sms: SMS_TO의 031-880-0004는 휴대폰 번호가 아니어서/],
  [{ TWILIO_FROM: "010-9999-0000" }, FOREIGN_SENDER_PATTERN],
  [{ TWILIO_FROM: "+12025550100", SMS_TO: "+12025550100" }, /^fault sms: TWILIO_FROM의 \+1202/],
  [{ BUSINESS_OWNER: "" }, NO_OWNER_PATTERN],
  [{ INSTRUCTOR_NAME: "" }, /^warn pages: 강사의 이름이 없어 .+INSTRUCTOR_NAME.+주세요\.$/],
  [
    { INSTRUCTOR_PHOTO: "none.jpg" },
    /^warn pages: INSTRUCTOR_PHOTO의 none\.jpg는 데이터 폴더에 없/,
  ],
  [{ INSTRUCTOR_PHOTO: "main.ts", DATA_DIR: "server" }, /^warn pages: .+는 JPEG, PNG, WebP가 아니/],
  [{ ACADEMY_REGISTRATION: "" }, NO_ACADEMY_PATTERN],
  [{ DATABASE_URL: "postgres://u:s3cret@db.project.supabase.co/postgres" }, PLAIN_TEXT_PATTERN],
])("the setting %j adds one finding", (changes, finding) => {
  const more = findingsOf(changes).filter((each) => !samples.includes(each));
  expect(more).toEqual([expect.stringMatching(finding)]);
});

test("an instructor's picture within the limits gives no finding", () => {
  const settings = { INSTRUCTOR_PHOTO: "icon-512.png", DATA_DIR: "public/icons" };
  expect(findingsOf(settings)).toEqual(samples);
});

test.each([
  ...["db.example/site?sslmode=require", "db.example/site?sslrootcert=system", "10.0.0.5/site"],
  ...["postgres:5432/a", "db.railway.internal/a", "db.flycast/a", "/a?host=/cloudsql/a:b:c"],
])("the database %s gives no finding", (place) => {
  expect(findingsOf({ DATABASE_URL: `postgres://u@${place}` })).toEqual(samples);
});

test.each([
  [
    { ...NO_SMS, ...NO_MAIL },
    /^unset delivery: .+\(\/.+\/data\/outbox\).+문자는 SMS_TO, .+를, 메일은 SMTP_HOST, MAIL_FROM, MAIL_TO를.* \.env에/,
  ],
  [NO_SMS, /^warn sms: 문자 설정이 없어 .*SMS_TO/m],
  [NO_MAIL, /^warn mail: 메일 설정이 없어 .*SMTP_HOST.*MAIL_FROM, MAIL_TO/m],
])("the settings %j give a finding about the missing channel", (changes, finding) => {
  expect(findingsOf(changes).join("\n")).toMatch(finding);
});

test.each([
  [0, 1, /^warn proxy: PUBLIC_PROXIES가 0인데 cf-connecting-ip .+PUBLIC_PROXIES=1이라고 적고/],
  [1, -1, /^warn proxy: PUBLIC_PROXIES가 1인데 .+X-Forwarded-For를 이어서 보내게/],
])(
  "a PUBLIC_PROXIES=%i that a CDN's header contradicts is a finding",
  (value, needed, sentence) => {
    const mismatch = { header: "cf-connecting-ip", publicProxies: value, needed };
    const set = (publicProxies: number) =>
      findingsOf({ PUBLIC_PROXIES: `${publicProxies}` }, mismatch);
    expect(set(value).filter((each) => !samples.includes(each))).toEqual([
      expect.stringMatching(sentence),
    ]);
    expect(set(2)).toEqual(samples);
  },
);

const LOCAL_SITES =
  "http://localhost:3000 https://127.0.0.1 https://[::1] https://[fd00::1] https://[fe80::1] http://192.168.0.7 https://site.local http://100.101.102.103";
const PUBLIC_SITES =
  "https://practice.example https://203.0.113.7 https://localhost.example https://[2001:db8::1]";
test.each([
  [true, LOCAL_SITES],
  [false, PUBLIC_SITES],
])("isLocalSite is %s for the addresses %s", (isLocal, addresses) => {
  expect(addresses.split(" ").map(isLocalSite)).toEqual(addresses.split(" ").map(() => isLocal));
});
