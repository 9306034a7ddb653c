import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DAY, HOUR, WEEK } from "#lib/application/durations.ts";
import { pages } from "#lib/content/pages.ts";
import { settingsSchema } from "#lib/environment.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { SMTP_LOGIN, SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { JSON_HEADERS, postApplication } from "#testing/site/client.ts";
import { runOwnerCommand } from "#testing/site/command-line.ts";
import { mailSettings, smsSettings, VISIBLE_SETTINGS } from "#testing/site/settings.ts";
import { Site } from "#testing/site/site.ts";
import { queryDatabase } from "#testing/site/site-with-peers.ts";

const LIMITS = {
  PUBLIC_PROXIES: "1",
  ADDRESS_REQUESTS_PER_MINUTE: "5",
  ADDRESS_APPLICATIONS_PER_10_MINUTES: "2",
  TOTAL_APPLICATIONS_PER_MINUTE: "3",
};
/** The public proxy in front of the site. */
const PROXY_ADDRESS = "162.158.1.1";
const RETENTION = { RETENTION_DAYS: "30", WEEKLY_SUMMARY: "on" };
const MAIL = { MAIL_FROM: "설정한 알림 <from@every.example>", MAIL_TO: "to@every.example" };
const MESSAGING_SERVICE = `MG${"0123456789abcdef".repeat(2)}`;
/** Settings of every test server: its folder, its address, its mail server and its Twilio. */
const SETTINGS_OF_EVERY_SITE = [
  ...["DATA_DIR", "HOSTNAME", "PORT"],
  ...["SMTP_HOST", "SMTP_PORT", "SMTP_USER", "SMTP_PASSWORD"],
  ...Object.keys(smsSettings({ url: "" })),
];

test("every setting is tested here, in e2e/settings or in app/configured.test.ts", () => {
  const onPages =
    readFileSync("app/configured.test.ts", "utf8").match(/(?<=^ {2}\[")[A-Z_]+/gm) ?? [];
  const tested = [
    ...onPages,
    ...[VISIBLE_SETTINGS, LIMITS, RETENTION, MAIL].flatMap(Object.keys),
    ...["LOG_LEVEL", "DATABASE_URL", "INSTRUCTOR_PHOTO"],
    ...["TWILIO_MESSAGING_SERVICE_SID", "SMS_HOURLY_LIMIT", "SMS_DAILY_LIMIT"],
    ...SETTINGS_OF_EVERY_SITE,
  ];
  expect(new Set(tested)).toEqual(new Set(Object.keys(settingsSchema.shape)));
});

test("each limit refuses the requests beyond it [58]", async () => {
  await using site = await Site.start({ ...LIMITS, LOG_LEVEL: "warn" });
  const statuses = async (address: string, names: readonly string[]) => {
    const seen: number[] = [];
    for (const name of names) {
      const headers = { ...JSON_HEADERS, "x-forwarded-for": `${address}, ${PROXY_ADDRESS}` };
      seen.push((await postApplication(site, "mail", jsonBody({ name }), headers)).status);
    }
    return seen;
  };
  expect(await statuses("203.0.113.1", ["김하나", "김둘", "김셋"])).toEqual([200, 200, 429]);
  expect(await statuses("203.0.113.2", ["김넷", "김다섯"])).toEqual([200, 429]);
  const withoutName = Array<string>(6).fill("");
  expect(await statuses("203.0.113.3", withoutName)).toEqual([400, 400, 400, 400, 400, 429]);

  const headers = { "x-forwarded-for": `203.0.113.4, ${PROXY_ADDRESS}` };
  const ask = (path: string) => fetch(site.url + path, { headers });
  for (let asked = 0; asked < 5; asked++) expect((await ask("/contact/result")).status).toBe(200);
  const refusal = await ask("/contact/result");
  expect([refusal.status, await refusal.text()]).toEqual([429, expect.stringContaining("010-")]);
  // Behind a proxy, all connections come from the proxy's address, so no limit per address may close them.
  const port = Number(new URL(site.url).port);
  const idle = Array.from({ length: 501 }, () => connect({ port, host: "127.0.0.1" }).resume());
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  expect((await ask("/")).status).toBe(200);
  expect(idle.map((socket) => socket.closed)).not.toContain(true);
  for (const socket of idle) socket.destroy();

  expect(site.log).toContain('"level":"warn"');
  expect(site.log).not.toContain('"level":"info"');
  expect(existsSync(join(site.dataDir, "applications.db"))).toBe(true);
  // HOSTNAME is 127.0.0.1, so the server listens on no other address.
  const elsewhere = connect({ port, host: "127.0.0.2" });
  const refused = new Promise((resolve) => elsewhere.once("error", resolve));
  expect(await refused).toMatchObject({ code: "ECONNREFUSED" });
});

for (const [cap, wait] of [
  ["SMS_HOURLY_LIMIT", HOUR],
  ["SMS_DAILY_LIMIT", DAY],
] as const) {
  test(`a text message over ${cap} waits until the cap allows it`, async () => {
    await using twilio = new TwilioPeer();
    await twilio.start();
    const { TWILIO_FROM: _, ...settings } = smsSettings(twilio);
    const service = { TWILIO_MESSAGING_SERVICE_SID: MESSAGING_SERVICE };
    const env = { ...settings, ...service, ...onMonday(), [cap]: "4" };
    await using site = await Site.start(env);
    // Two messages of this length need more than the cap of four segments.
    for (const name of ["김첫째", "김둘째"])
      await postApplication(site, "sms", jsonBody({ name, message: "가".repeat(150) }));
    await eventually(() => twilio.messages.length).toBe(1);
    const held = "SELECT max(next_at) - min(enqueued_at) FROM messages, notices";
    await eventually(() => Math.round(Number(queryDatabase(site, held)) / wait)).toBe(1);
    expect(twilio.messages).toMatchObject([{ to: "+821099990000", from: MESSAGING_SERVICE }]);
    // WEEKLY_SUMMARY is off, so that even on a Monday no summary is enqueued.
    expect(queryDatabase(site, "SELECT count(*) FROM notices WHERE kind = 'weekly'")).toBe(0);
  });
}

test("the picture that INSTRUCTOR_PHOTO names is shown after a restart", async ({ page }) => {
  const env = { INSTRUCTOR_NAME: "설정한 이름", INSTRUCTOR_PHOTO: "our photo.jpg" };
  await using site = await Site.start(env);
  const pictures = page.locator('img[src^="/instructor-photo"]');
  await page.goto(site.url);
  await expect(pictures).toHaveCount(0);
  await site.end("SIGTERM");
  // A PNG under the name of a JPEG, because the site must not derive the type from the name.
  copyFileSync("public/icons/icon-512.png", join(site.dataDir, env.INSTRUCTOR_PHOTO));
  await site.startAgain();
  for (const path of [pages.home.path, pages.pricing.path]) {
    await page.goto(site.url + path);
    await pictures.scrollIntoViewIfNeeded();
    await expect(pictures).toHaveAccessibleName(env.INSTRUCTOR_NAME);
    await expect(pictures).toHaveJSProperty("naturalWidth", 512);
  }
  const answer = await fetch(site.url + (await pictures.getAttribute("src")));
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  await page.close();
});

/** Settings that shift the clock of a process to 10:00 in Seoul on the next Monday. */
function onMonday(): Record<string, string> {
  const monday = Date.parse("2026-11-23T10:00:00+09:00");
  const weeks = Math.ceil((Date.now() - monday) / WEEK);
  return {
    CLOCK_SHIFT_MS: `${monday + weeks * WEEK - Date.now()}`,
    NODE_OPTIONS: `--import=${pathToFileURL("testing/site/shifted-clock.ts")}`,
  };
}

async function siteOnMonday(smtp: SmtpPeer, database: string): Promise<Site> {
  return Site.start({
    ...{ ...mailSettings(smtp.mailServer()), ...MAIL, ...RETENTION, ...onMonday() },
    DATABASE_URL: `file:${database}`,
  });
}

function namesIn(database: string): unknown[] {
  using opened = new DatabaseSync(database, { timeout: 10_000 });
  const rows = opened.prepare("SELECT name FROM applications ORDER BY name").all();
  return rows.map(({ name }) => name);
}

/** Makes the application of 김오래 31 days old and the other one 29, and records two days of steady time. */
function ageApplications(database: string): void {
  using opened = new DatabaseSync(database, { timeout: 10_000 });
  opened.exec(`UPDATE notices SET finished_at = finished_at - (
    SELECT CASE name WHEN '김오래' THEN ${31 * DAY} ELSE ${29 * DAY} END
    FROM applications WHERE applications.application_id = notices.application_id
  ) WHERE application_id IS NOT NULL`);
  opened.exec(`UPDATE notes SET value = at - ${2 * DAY} WHERE name = 'clock'`);
}

test("DATABASE_URL names the database for summary, retention and backup", async () => {
  await using smtp = new SmtpPeer({ needsLogin: true });
  await smtp.start();
  await using folder = await mkdtempDisposable(join(tmpdir(), "own-"));
  const database = join(folder.path, "own.db");
  await using site = await siteOnMonday(smtp, database);
  await eventually(() => smtp.mails.length).toBe(1);
  expect(smtp.mails[0]?.parsed.subject).toContain("주");
  expect(smtp.mails[0]).toMatchObject({
    envelopeFrom: "from@every.example",
    envelopeTo: [MAIL.MAIL_TO],
    parsed: { from: { text: expect.stringContaining("설정한 알림") } },
  });
  expect(smtp.sentPasswords).toEqual([SMTP_LOGIN.password]);
  for (const name of ["김오래", "김최근"]) await postApplication(site, "mail", jsonBody({ name }));
  await eventually(() => smtp.mails.length).toBe(3);

  await site.end("SIGTERM");
  ageApplications(database);
  expect(await runOwnerCommand(site, "backup")).toMatchObject({ code: 0 });
  const [backup = ""] = readdirSync(join(site.dataDir, "backups"));
  expect(namesIn(join(site.dataDir, "backups", backup))).toEqual(["김오래", "김최근"]);
  await site.startAgain();
  await eventually(() => namesIn(database)).toEqual(["김최근"]);
});
