/**
 * Visitors send applications while the real server is killed at random moments. The test then compares the confirmed,
 * the stored and the delivered applications. For more kills, or other ones:
 *   CHAOS="kills=100 rate=20 life=12 seed=14 database=sqlite" npm run test:long -- chaos.spec
 *   CHAOS="kills=6 rate=0.12 life=100 slowDot=90 seed=7 database=sqlite" npm run test:long -- chaos.spec
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { z } from "zod";
import { parseApplicationId } from "#lib/application/application-id.ts";
import { HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { parseReceipt } from "#lib/application/response-body.ts";
import { MAX_COPIES } from "#lib/delivery/rule.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { PostgresServer, runStatement } from "#testing/peers/postgres.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { extractApplicationIds } from "#testing/site/application-numbers.ts";
import { JSON_HEADERS, postApplication } from "#testing/site/client.ts";
import { runOwnerCommand } from "#testing/site/command-line.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { Site } from "#testing/site/site.ts";

const given = Object.fromEntries(
  (process.env.CHAOS ?? "").split(" ").map((each) => each.split("=")),
);
const chaos = z
  .object({
    kills: z.coerce.number().default(20),
    /** Applications per second. */
    rate: z.coerce.number().default(10),
    /** The longest random lifetime of a process in seconds, measured from its first answer. */
    life: z.coerce.number().default(3.5),
    /** The longest random delay, in seconds, of the mail server's reply to the final dot. */
    slowDot: z.coerce.number().default(0),
    /** The seed of the random lifetimes. */
    seed: z.coerce.number().default(Date.now() % 1_000_000),
    database: z.enum(["sqlite", "postgres", "both"]).default("both"),
  })
  .parse(given);

/** The longest random pause before a visitor sends an unanswered application again. */
const RESEND_WITHIN_MS = 2 * SECOND;
/** No further visitor submits while so many visitors wait for an answer. */
const MAX_VISITORS = 300;
/** The worker searches for a text of unknown outcome for 30 minutes before it sends the text again. */
const DRAIN_LIMIT_MS = 40 * MINUTE;

interface Arrival {
  number: string | undefined;
  by: "sms" | "mail";
}

test("kills of the server lose no application on either database [1][2][3][10]", async () => {
  // The worker repeats a mail of unknown outcome only after 15 minutes.
  test.setTimeout(process.env.CHAOS ? 3 * HOUR : 25 * MINUTE);
  const databases =
    chaos.database === "both" ? (["sqlite", "postgres"] as const) : [chaos.database];
  for (const report of await Promise.all(databases.map(killWhileVisitorsApply))) {
    console.info({ ...chaos, ...report });
    expect(report.acknowledged).toBeGreaterThan(chaos.kills);
    expect(report).toMatchObject({ lost: 0, undelivered: 0, duplicateRows: 0 });
    expect(report.mostForOne).toBeLessThanOrEqual(MAX_COPIES);
  }
});

async function killWhileVisitorsApply(database: "sqlite" | "postgres") {
  const mails: Arrival[] = [];
  await using twilio = new TwilioPeer();
  await using smtp = new SmtpPeer({
    onRawMail: (raw) => {
      const [, id = ""] = /^Message-ID: <([^>.]+)/im.exec(raw) ?? [];
      mails.push({ number: parseApplicationId(id), by: "mail" });
    },
  });
  const finalDot = () => pause(Math.random() * chaos.slowDot * SECOND, undefined, { ref: false });
  smtp.always({ slow: { finalDot } });
  await Promise.all([twilio.start(), smtp.start()]);
  await using postgres = database === "postgres" ? await PostgresServer.start() : undefined;
  await using site = await Site.start({
    ...smsSettings(twilio),
    ...mailSettings(smtp.mailServer()),
    LOG_LEVEL: "warn",
    NODE_COMPILE_CACHE: join(tmpdir(), "chaos-compile-cache"),
    ...(postgres && { DATABASE_URL: postgres.url }),
  });
  // A process that ends normally saves Node's compile cache, so that later processes start faster.
  await site.end("SIGTERM");
  await site.startAgain();
  const visitors = submitSteadily(site.url);
  const lives = fc.noBias(fc.nat(chaos.life * SECOND));
  const sampled = fc.sample(lives, { seed: chaos.seed, numRuns: chaos.kills });
  for (const [index, life] of sampled.entries()) {
    await pause(life);
    await site.end("SIGKILL");
    await site.startAgain();
    if ((index + 1) % 10 === 0) console.info(`${database}: ${index + 1} kills`);
  }
  const acknowledged = await visitors.stop();
  await waitUntilDrained(site);
  const rows = storedRowsSchema.parse(
    postgres ? await runStatement(postgres.url, STORED_ROWS_SQL) : readStored(site.dataDir),
  );
  const texts = twilio.messages.map(({ body }) => {
    return { number: extractApplicationIds(body).at(-1), by: "sms" as const };
  });
  return {
    database,
    stored: rows.length,
    duplicateRows: rows.length - new Set(rows.map(({ name }) => name)).size,
    ...compare(acknowledged, new Set(rows.map(({ number }) => number)), [...mails, ...texts]),
  };
}

/** Submits applications at a steady rate. `stop` waits for all visitors, and returns the confirmed numbers. */
function submitSteadily(url: string) {
  const acknowledged: string[] = [];
  const waiting = new Set<Promise<unknown>>();
  let count = 0;
  const timer = setInterval(() => {
    if (waiting.size >= MAX_VISITORS) return;
    const visitor = repeatUntilAcknowledged(url, count++)
      .then((number) => acknowledged.push(number))
      .finally(() => waiting.delete(visitor));
    waiting.add(visitor);
  }, SECOND / chaos.rate);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(waiting);
    return acknowledged;
  };
  return { stop };
}

/** Repeats an application under its key until a receipt comes, and returns the number. */
async function repeatUntilAcknowledged(url: string, index: number): Promise<string> {
  const route = index % 2 === 0 ? "sms" : "mail";
  const headers = { ...JSON_HEADERS, "idempotency-key": crypto.randomUUID() };
  const body = jsonBody({ name: `혼돈${index}` });
  for (;;) {
    const receipt = await postApplication({ url }, route, body, headers)
      .then(async (answer) => (answer.ok ? parseReceipt(await answer.json()) : undefined))
      .catch(() => undefined);
    if (receipt) return receipt.applicationId;
    await pause(Math.random() * RESEND_WITHIN_MS);
  }
}

async function waitUntilDrained(site: Site): Promise<void> {
  const deadline = Date.now() + DRAIN_LIMIT_MS;
  while (Date.now() < deadline) {
    await pause(5_000);
    const waiting = await runOwnerCommand(site, "list", "--state", "open");
    if (waiting.stdout.includes("보여 드릴 신청이 없습니다.")) return;
  }
}

/** The number of each stored application, and the name of its visitor. No two visitors have the same name. */
const STORED_ROWS_SQL = "SELECT application_id AS number, name FROM applications";
const storedRowsSchema = z.array(z.object({ number: z.string(), name: z.string() }));

function readStored(dataDir: string): unknown {
  using database = new DatabaseSync(join(dataDir, "applications.db"), { readOnly: true });
  return database.prepare(STORED_ROWS_SQL).all();
}

function compare(
  numbers: readonly string[],
  stored: ReadonlySet<string>,
  arrivals: readonly Arrival[],
) {
  const received = new Set(arrivals.map(({ number }) => number));
  const ways = Map.groupBy(arrivals, ({ number, by }) => `${number} ${by}`);
  return {
    acknowledged: numbers.length,
    /** Confirmed applications that are not in the store. */
    lost: numbers.filter((number) => !stored.has(number)).length,
    /** Confirmed applications that the owner never received. */
    undelivered: numbers.filter((number) => !received.has(number)).length,
    duplicateMessages: arrivals.length - received.size,
    /** The highest number of messages for one application on one channel. */
    mostForOne: Math.max(0, ...[...ways.values()].map(({ length }) => length)),
  };
}
