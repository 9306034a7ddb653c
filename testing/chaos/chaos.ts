/**
 * Sends applications at a steady rate, as browsers do, while the real server is killed at random moments; then compares
 * the confirmed, the stored and the delivered applications.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { z } from "zod";
import { parseApplicationId } from "#lib/application/application-id.ts";
import { parseReceipt } from "#lib/application/response-body.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { PostgresServer, runStatement } from "#testing/peers/postgres.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { extractApplicationIds } from "#testing/site/application-numbers.ts";
import { postApplication } from "#testing/site/client.ts";
import { runOwnerCommand } from "#testing/site/command-line.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { Site } from "#testing/site/site.ts";

interface ChaosOptions {
  kills: number;
  /** Applications per second. */
  rate: number;
  /** Seed of the random lifetimes of the processes. */
  seed: number;
  database: "sqlite" | "postgres";
  /** The longest random lifetime of a process, measured from its first answer. */
  longestLifeMs?: number;
  /** The longest random delay of the mail server's reply to the final dot. */
  slowDotMs?: number;
}

/** Time of the confirmation of each application, by number. */
type Acknowledged = Map<string, number>;

interface Arrival {
  number: string | undefined;
  at: number;
  by: "sms" | "mail";
}

interface Restart {
  killedAt: number;
  startedAt: number;
}

/** The longest random pause before a visitor sends an unanswered application again. */
const RESEND_WITHIN_MS = 2_000;
const LONGEST_LIFE_MS = 3_500;
/** The worker searches for a text of unknown outcome for 30 minutes before it sends the text again. */
const DRAIN_LIMIT_MS = 40 * 60_000;
/** No further visitor submits while so many visitors wait for an answer. */
const MOST_VISITORS = 300;

export async function runChaos(
  { kills, rate, seed, database, longestLifeMs = LONGEST_LIFE_MS, slowDotMs }: ChaosOptions,
  say: (line: string) => void = () => undefined,
) {
  const mails: Arrival[] = [];
  const twilio = new TwilioPeer();
  const smtp = new SmtpPeer({
    glance: (raw) => {
      const [, id = ""] = /^Message-ID: <([^>.]+)/im.exec(raw) ?? [];
      mails.push({ number: parseApplicationId(id), at: Date.now(), by: "mail" });
    },
  });
  const arrivals = (): Arrival[] => [
    ...mails,
    ...twilio.messages.map(({ body, dateCreated }) => {
      return {
        number: extractApplicationIds(body).at(-1),
        at: dateCreated.getTime(),
        by: "sms" as const,
      };
    }),
  ];
  if (slowDotMs !== undefined) {
    const finalDot = () => pause(Math.random() * slowDotMs, undefined, { ref: false });
    smtp.always({ slow: { finalDot } });
  }
  await Promise.all([twilio.start(), smtp.start()]);
  const postgres = database === "postgres" ? await PostgresServer.start() : undefined;
  const site = await Site.start({
    ...smsSettings(twilio),
    ...mailSettings(smtp.at()),
    LOG_LEVEL: "warn",
    NODE_COMPILE_CACHE: join(tmpdir(), "chaos-compile-cache"),
    ...(postgres && { DATABASE_URL: postgres.url }),
  });
  // A process that ends normally saves Node's compile cache, so that later processes start faster.
  await site.end("SIGTERM");
  await site.startAgain();
  const startedAt = Date.now();
  const acknowledged: Acknowledged = new Map();
  try {
    const visitors = submitSteadily(site.url, rate, acknowledged);
    const lives = fc.sample(fc.noBias(fc.nat(longestLifeMs)), { seed, numRuns: kills });
    const restarts = await runAndKill(lives, site, (kill) => {
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      const waiting = visitors.waiting();
      say(
        `${kill} kills, ${seconds} s, ${acknowledged.size} acknowledged, ${arrivals().length} messages, ${waiting} visitors waiting`,
      );
    });
    await visitors.stop();
    await waitUntilDrained(site);
    const got = arrivals();
    const rows = STORED_ROWS.parse(
      postgres ? await runStatement(postgres.url, STORED) : readStored(site.dataDir),
    );
    return {
      kills,
      seconds: Math.round((Date.now() - startedAt) / 1_000),
      stored: rows.length,
      duplicateRows: rows.length - new Set(rows.map(({ name }) => name)).size,
      ...compare(acknowledged, new Set(rows.map(({ number }) => number)), got),
      /** Delivery times, from the restart, of applications that a kill had delayed. */
      afterRestart: timesAfterRestart(acknowledged, restarts, got),
    };
  } finally {
    await site.stop();
    await Promise.all([twilio.stop(), smtp.stop(), postgres?.stop()]);
  }
}

/** Submits applications at a steady rate, and repeats each application with its key until a receipt comes. */
function submitSteadily(url: string, rate: number, acknowledged: Acknowledged) {
  let count = 0;
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (underWay.size >= MOST_VISITORS) return;
    const visitor = repeatUntilAcknowledged(url, count++, acknowledged).finally(() => {
      underWay.delete(visitor);
    });
    underWay.add(visitor);
  }, 1_000 / rate);
  return {
    waiting: () => underWay.size,
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

async function repeatUntilAcknowledged(
  url: string,
  index: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const route = index % 2 === 0 ? "sms" : "mail";
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const body = jsonBody({ name: `혼돈${index}` });
  for (;;) {
    const receipt = await postApplication({ url }, route, body, headers)
      .then(async (answer) => (answer.ok ? parseReceipt(await answer.json()) : undefined))
      .catch(() => undefined);
    if (receipt) {
      acknowledged.set(receipt.applicationId, Date.now());
      return;
    }
    await pause(Math.random() * RESEND_WITHIN_MS);
  }
}

/** Kills the server after each of these lifetimes in ms, and restarts the server. */
async function runAndKill(
  lives: readonly number[],
  site: Site,
  say: (kills: number) => void,
): Promise<Restart[]> {
  const restarts: Restart[] = [];
  for (const lifeMs of lives) {
    await pause(lifeMs);
    const killedAt = Date.now();
    await site.end("SIGKILL");
    const kills = restarts.push({ killedAt, startedAt: Date.now() });
    await site.startAgain();
    if (kills % 10 === 0 || kills === lives.length) say(kills);
  }
  return restarts;
}

async function waitUntilDrained(site: Site): Promise<void> {
  const deadline = Date.now() + DRAIN_LIMIT_MS;
  while (Date.now() < deadline) {
    await pause(5_000);
    const waiting = await runOwnerCommand(site, "list", "--state", "open");
    if (waiting.stdout.includes("보여 드릴 신청이 없습니다.")) return;
  }
}

/** The number of each stored application, and the visitor's name, which is unique in a run. */
const STORED = "SELECT application_id AS number, name FROM applications";
const STORED_ROWS = z.array(z.object({ number: z.string(), name: z.string() }));

function readStored(dataDir: string): unknown {
  using database = new DatabaseSync(join(dataDir, "applications.db"), { readOnly: true });
  return database.prepare(STORED).all();
}

function compare(
  acknowledged: Acknowledged,
  stored: ReadonlySet<string>,
  arrivals: readonly Arrival[],
) {
  const received = new Set(arrivals.map(({ number }) => number));
  const ways = Map.groupBy(arrivals, ({ number, by }) => `${number} ${by}`);
  const numbers = [...acknowledged.keys()];
  return {
    acknowledged: acknowledged.size,
    /** Confirmed applications that are not in the store. */
    lost: numbers.filter((number) => !stored.has(number)).length,
    /** Confirmed applications that the owner never received. */
    undelivered: numbers.filter((number) => !received.has(number)).length,
    duplicateMessages: arrivals.length - received.size,
    /** The highest number of messages for one application on one channel. */
    mostForOne: Math.max(0, ...[...ways.values()].map(({ length }) => length)),
  };
}

function timesAfterRestart(
  acknowledged: Acknowledged,
  restarts: readonly Restart[],
  arrivals: readonly Arrival[],
) {
  const first = Map.groupBy(arrivals, ({ number }) => number);
  const times = [...acknowledged].flatMap(([number, acknowledgedAt]) => {
    const at = Math.min(...(first.get(number) ?? []).map((arrival) => arrival.at));
    const restart = restarts.find(({ killedAt }) => killedAt > acknowledgedAt);
    return restart && Number.isFinite(at) && at > restart.killedAt ? [at - restart.startedAt] : [];
  });
  times.sort((one, other) => one - other);
  return { count: times.length, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}
