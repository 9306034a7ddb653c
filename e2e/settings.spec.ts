import { globSync, readFileSync } from "node:fs";
import { pagePaths } from "#lib/content/pages.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { SAMPLE_VALUES } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { FORM_HEADERS, postApplication } from "#testing/site/client.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";
import { mailSettings, VISIBLE_SETTINGS } from "#testing/site/settings.ts";
import { Site } from "#testing/site/site.ts";
import { queryDatabase } from "#testing/site/site-with-peers.ts";

const FIRST_SETTINGS = {
  SITE_URL: "https://first.example",
  INQUIRY_PHONE: "010-1111-2222",
  BUSINESS_OWNER: "첫째 김여주",
  RETENTION_DAYS: "30",
  NAVER_SITE_VERIFICATION: "first-naver",
};
const SECOND_SETTINGS = { ...VISIBLE_SETTINGS, RETENTION_DAYS: "60" };
const OLD_VALUES = [
  ...Object.values(FIRST_SETTINGS).filter((value) => value !== "30"),
  "01011112222",
];

const PASSWORD = "canary-password-77";
const SECRETS = {
  TWILIO_AUTH_TOKEN: "canary-token-5f1c",
  TWILIO_ACCOUNT_SID: `AC${"5ca1ab1e".repeat(4)}`,
  SMS_TO: "010-8642-9753",
  MAIL_TO: "canary-owner@practice.example",
};
const CHANNELS = {
  ...mailSettings({ host: "127.0.0.1", port: 9, login: { user: "site", password: PASSWORD } }),
  ...SECRETS,
  TWILIO_FROM: "+82215880000",
};
/** Words of the server's code and settings, which no response may contain. */
const SERVER_ONLY_PATTERN =
  /TWILIO_|SMTP_|SMS_TO|MAIL_TO|DATABASE_URL|secure_delete|nodemailer|node:sqlite|kysely/;

const ON_EVERY_PAGE = [
  "tel:01044445555",
  SECOND_SETTINGS.INQUIRY_PHONE,
  SECOND_SETTINGS.BUSINESS_OWNER,
  SECOND_SETTINGS.NAVER_SITE_VERIFICATION,
];
const ON_EVERY_KNOWN_PAGE = [
  ...ON_EVERY_PAGE,
  `<link rel="canonical" href="${SECOND_SETTINGS.SITE_URL}`,
  `property="og:image" content="${SECOND_SETTINGS.SITE_URL}/previews/`,
  "strict-transport-security",
];
const EXPECTED_TEXTS: Record<string, string[]> = {
  ...Object.fromEntries(pagePaths.map((path) => [path, ON_EVERY_KNOWN_PAGE])),
  [UNKNOWN_PATH]: ON_EVERY_PAGE,
  "/contact/result": [SECOND_SETTINGS.INQUIRY_PHONE],
  "/sitemap.xml": [`<loc>${SECOND_SETTINGS.SITE_URL}/pricing</loc>`],
  "/robots.txt": [`Sitemap: ${SECOND_SETTINGS.SITE_URL}/sitemap.xml`],
};
const OTHER_PATHS = [
  "/sw.js",
  "/manifest.webmanifest",
  "/api/health",
  "/api/mail/training-application",
];

async function fetchEverything({ url }: Site) {
  const shown = new Map<string, { text: string; etag: string | null }>();
  for (const path of [...Object.keys(EXPECTED_TEXTS), ...OTHER_PATHS]) {
    const answer = await fetch(url + path);
    const text = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
    shown.set(path, { text, etag: answer.headers.get("etag") });
  }
  return shown;
}

test("a changed setting is on every page after a restart [42][73][78]", async ({ page }) => {
  await using site = await Site.start(FIRST_SETTINGS);
  const restart = async (settings: Record<string, string>) => {
    await site.end("SIGTERM");
    Object.assign(site.env, settings);
    await site.startAgain();
    return fetchEverything(site);
  };
  expect(site.log).toContain('"topic":"pages","msg":"학원 등록번호가 없습니다.');
  const before = await fetchEverything(site);
  const same = await restart({});
  for (const path of [...pagePaths, "/sw.js"]) {
    expect(same.get(path)?.etag, path).toBe(before.get(path)?.etag);
    expect(before.get(path)?.etag, path).toBeTruthy();
  }

  const after = await restart({ ...SECOND_SETTINGS, ...CHANNELS });
  for (const [path, { text }] of after) {
    for (const old of OLD_VALUES) expect(text.includes(old), `${old} in ${path}`).toBe(false);
    for (const own of EXPECTED_TEXTS[path] ?? []) expect(text, path).toContain(own);
  }
  expect(after.get("/")?.text).toContain('"telephone":"+821044445555"');
  expect(after.get("/privacy")?.text).toContain("60일");
  const sent = await postApplication(
    site,
    "mail",
    new URLSearchParams(SAMPLE_VALUES).toString(),
    FORM_HEADERS,
  );
  const [cookie = ""] = sent.headers.getSetCookie();
  const receipt = await fetch(`${site.url}/contact/result`, { headers: { cookie } });
  const shown = [...after.values()].map(({ text }) => text).join() + (await receipt.text());
  for (const [name, value] of Object.entries(VISIBLE_SETTINGS))
    expect(shown.includes(value), name).toBe(true);
  const chain = {
    "x-forwarded-for": "203.0.113.7, 162.158.1.1",
    "cf-connecting-ip": "203.0.113.7",
  };
  await fetch(site.url, { headers: chain });
  await eventually(() => site.log).toContain('"topic":"proxy","msg":"PUBLIC_PROXIES가 0인데');
  const note = () => queryDatabase(site, "SELECT value FROM notes WHERE name = 'cdn'");
  const value = '{"header":"cf-connecting-ip","publicProxies":0,"needed":1}';
  await eventually(note).toBe(value);

  const files = globSync(".next/static/**/*.{js,css,json}");
  const fetched = [...after].map(([path, { text }]) => [path, text] as const);
  const read = files.map((file) => [file, readFileSync(file, "utf8")] as const);
  const secrets = [...Object.values(SECRETS), PASSWORD, "1086429753", site.dataDir, process.cwd()];
  for (const [path, content] of [...fetched, ...read]) {
    for (const secret of secrets)
      expect(content.includes(secret), `${secret} in ${path}`).toBe(false);
    expect(SERVER_ONLY_PATTERN.exec(content)?.[0], path).toBeUndefined();
    expect(content, path).not.toMatch(/sourceMappingURL|x-powered-by/i);
  }
  expect(globSync(".next/static/**/*.map")).toEqual([]);
  for (const secret of [SECRETS.TWILIO_AUTH_TOKEN, PASSWORD])
    expect(site.log).not.toContain(secret);

  await page.goto(site.url);
  await expect(page.locator("footer")).toContainText(SECOND_SETTINGS.INQUIRY_PHONE);
  await page.close();
});
