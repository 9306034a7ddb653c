/** A server that meets all that its settings decide: a Monday, old applications, a backup, caps, floods. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { DAY, HOUR, WEEK } from "#lib/application/durations.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { asJson } from "#testing/browser/form.ts";
import type { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { eachOf, JSON_TYPE, post } from "#testing/site/client.ts";
import { applications } from "#testing/site/command-line.ts";
import { Site } from "#testing/site/site.ts";
import { allSent, databaseFile, inDatabase } from "#testing/site/site-with-peers.ts";

export type Seen = Awaited<ReturnType<typeof observe>>;

const PATHS = ["/", "/contact", "/pricing", "/privacy"];
const TEN = Array.from({ length: 10 }, (_, index) => index);
const A_MONDAY = Date.parse("2026-11-23T09:30:00+09:00");
/** Both were delivered in the past: the first is over in any case, the second as the settings say. */
const DAYS_AGO = [4_000, 20];

/** Runs a server with these settings and peers, and tells what is seen of it. */
export async function observe(
  settings: Record<string, string>,
  twilio: TwilioPeer,
  smtp: SmtpPeer,
) {
  await using site = await Site.start({ ...settings, ...movedTo(A_MONDAY) });
  const old = await leaveOldOnes(site);
  await textTen(site);
  const textsInAnHour = twilio.messages.length;
  inDatabase(site, `UPDATE attempts SET begun_at = begun_at - ${2 * HOUR} RETURNING 1`);
  await textTen(site);
  const textsInADay = twilio.messages.length;
  const pages = await eachOf(PATHS, 1, async (path) => {
    const response = await fetch(site.url + path);
    return JSON.stringify([...response.headers]) + (await response.text());
  });
  const refused = await eachOf(TEN, 1, () => send(site, { address: "198.51.100.1", body: "{}" }));
  const fromOne = await eachOf(TEN, 1, () => send(site, { address: "198.51.100.2" }));
  const fromAll = await eachOf([...TEN, ...TEN, ...TEN, ...TEN, ...TEN], 10, () => send(site));
  await allSent(site);
  return {
    ...{ old, textsInAnHour, textsInADay, refused, fromOne, fromAll },
    pages: pages.join("\n"),
    texts: twilio.messages,
    mails: smtp.mails,
    log: site.log,
    folders: readdirSync(site.dataDir, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
      .toSorted()
      .join(),
    isBesideData: existsSync(join(site.dataDir, "applications.db")),
    proxies: inDatabase(site, "SELECT value FROM notes WHERE name = 'proxy'"),
    answers: await isOpen(site, "127.0.0.1"),
    answersOthers: await isOpen(site, "127.0.0.2"),
  };
}

let senders = 0;
/** An application of another person each time, and from another address unless one is named. */
async function send(
  site: Site,
  given: { route?: "sms" | "mail"; address?: string; body?: string } = {},
): Promise<number> {
  senders += 1;
  const { route = "mail", address = `203.0.113.${senders % 250}` } = given;
  const { body = asJson({ phone: `010-2345-${1_000 + senders}`, message: "" }) } = given;
  return (await post(site, route, body, { ...JSON_TYPE, "x-forwarded-for": address })).status;
}

async function textTen(site: Site): Promise<void> {
  await eachOf(TEN, 4, () => send(site, { route: "sms" }));
  await allSent(site);
}
/** Tells for each of the old applications where it still is: its row, its row in a backup, its message. */
async function leaveOldOnes(site: Site): Promise<string[]> {
  for (const _ of DAYS_AGO) await send(site);
  await allSent(site);
  await site.end("SIGTERM");
  const outbox = join(site.dataDir, "outbox");
  const numbers = makeOld(databaseFile(site), outbox);
  await applications(site, "backup");
  await site.startAgain();
  const folder = join(site.dataDir, "backups");
  const backup = join(folder, readdirSync(folder).find((name) => name.endsWith(".db")) ?? "");
  const placesOf = (number: string) => {
    const isInOutbox = readdirSync(outbox).includes(fileOf(number));
    return [
      ...(numbersIn(databaseFile(site)).includes(number) ? ["database"] : []),
      ...(numbersIn(backup).includes(number) ? ["backup"] : []),
      ...(isInOutbox ? ["outbox"] : []),
    ].join(" ");
  };
  await eventually(() => placesOf(numbers[0] ?? "")).toBe("");
  return numbers.map(placesOf);
}

const fileOf = (number: string) => `2026-01-01_000000_${formatApplicationId(number)}.txt`;

/** Returns their numbers. The clock is proven, as after days of steady time. */
function makeOld(file: string, outbox: string): string[] {
  using database = new DatabaseSync(file);
  const numbers = numbersIn(file);
  mkdirSync(outbox);
  for (const [index, days] of DAYS_AGO.entries()) {
    const number = numbers[index] ?? "";
    const at = A_MONDAY - days * DAY;
    database.exec(`UPDATE jobs SET finished_at = ${at} WHERE application_id = '${number}'`);
    writeFileSync(join(outbox, fileOf(number)), "");
    utimesSync(join(outbox, fileOf(number)), at / 1_000, at / 1_000);
  }
  database.exec(`UPDATE notes SET value = value - ${WEEK} WHERE name = 'clock'`);
  return numbers;
}

function numbersIn(file: string): string[] {
  using database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const rows = database.prepare("SELECT application_id AS id FROM applications").all();
  return rows.map(({ id }) => String(id));
}

/** Environment of a process whose clock shows this time at first. */
function movedTo(time: number): Record<string, string> {
  const code = `const { now } = Date, lead = ${time - Date.now()};
    // Next copies what is the class's own.
    globalThis.Date = class extends Date {
      constructor(...given) { given.length ? super(...given) : super(now() + lead); }
      static now() { return now() + lead; }
      static parse = Date.parse;
      static UTC = Date.UTC;
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

async function isOpen({ url }: Site, host: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), host);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
