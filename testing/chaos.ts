/**
 * Applications at a steady rate, as a browser sends them, while the real server is killed at random moments;
 * in the end three lists are compared: what was acknowledged, what is stored, what the owner got.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { receiptIn } from "#lib/application/answer.ts";
import {
  type Acknowledged,
  type ChaosReport,
  compare,
  type Mail,
  messageIdIn,
  type Restart,
  receivedBy,
  storedAt,
  storedIn,
  timesAfterRestart,
} from "#testing/chaos-report.ts";
import { applications } from "#testing/command-line.ts";
import { asJson } from "#testing/form.ts";
import { PostgresServer } from "#testing/peers/postgres.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { randomFrom } from "#testing/random.ts";
import { mailSettings, smsSettings } from "#testing/settings.ts";
import { Site } from "#testing/site.ts";

export interface ChaosOptions {
  kills: number;
  /** Applications per second. */
  rate: number;
  /** The same seed makes the same lives of the processes. */
  seed: number;
  database: "sqlite" | "postgres";
  /** Each process lives for a random time up to this, counted from the moment when it answers. */
  longestLifeMs?: number;
  /** The mail server answers the final dot after a random time up to this. */
  slowDotMs?: number;
}

/** A visitor sends again within this time, at random: many browsers do not come back in the same moment. */
const RESEND_WITHIN_MS = 2_000;
const REQUEST_TIMEOUT_MS = 10_000;
const LONGEST_LIFE_MS = 3_500;
const DRAIN_LIMIT_MS = 600_000;
const UNLIMITED = "1000000";
/** The most that can be set. */
const SMS_LIMIT = "100000";
/** Visitors who wait for an answer; while so many do, nobody else presses the button. */
const MOST_VISITORS = 300;

export async function runChaos(
  { kills, rate, seed, database, longestLifeMs = LONGEST_LIFE_MS, slowDotMs }: ChaosOptions,
  say: (line: string) => void = () => undefined,
): Promise<ChaosReport> {
  const mails: Mail[] = [];
  const twilio = new TwilioPeer();
  const smtp = new SmtpPeer({
    glance: (raw, at) => mails.push({ at, messageId: messageIdIn(raw) }),
  });
  if (slowDotMs !== undefined) {
    const random = randomFrom(seed + 1);
    smtp.always({ slow: { finalDot: () => random() * slowDotMs } });
  }
  await Promise.all([twilio.start(), smtp.start()]);
  const postgres = database === "postgres" ? await PostgresServer.start() : undefined;
  const site = await Site.start({
    ...settings(twilio, smtp),
    ...(postgres && { DATABASE_URL: postgres.url }),
  });
  // A process that is not killed keeps what Node has compiled, for a quicker start of the others.
  await site.end("SIGTERM");
  await site.startAgain();
  const startedAt = Date.now();
  const acknowledged: Acknowledged = new Map();
  try {
    const visitors = submitSteadily(site.url, rate, acknowledged);
    const plan = { kills, longestLifeMs, random: randomFrom(seed) };
    const restarts = await killAtRandom(site, plan, (kill) => {
      const arrivals = [...receivedBy(twilio, mails).values()];
      const more = arrivals.reduce((sum, all) => sum + all.length - 1, 0);
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      say(
        `${kill} kills, ${seconds} s, ${acknowledged.size} acknowledged, ${arrivals.length} with the owner, ${more} messages twice, ${visitors.waiting()} visitors waiting`,
      );
    });
    await visitors.stop();
    await drained(site);
    const received = receivedBy(twilio, mails);
    const rows = postgres ? await storedAt(postgres.url) : storedIn(site.dataDir);
    return {
      kills,
      seconds: Math.round((Date.now() - startedAt) / 1_000),
      ...compare(acknowledged, rows, received),
      afterRestart: timesAfterRestart(acknowledged, restarts, received),
    };
  } finally {
    await site.stop();
    await Promise.all([twilio.stop(), smtp.stop(), postgres?.stop()]);
  }
}

function settings(twilio: TwilioPeer, smtp: SmtpPeer): Record<string, string> {
  return {
    ...smsSettings(twilio),
    ...mailSettings(smtp),
    SMS_HOURLY_LIMIT: SMS_LIMIT,
    SMS_DAILY_LIMIT: SMS_LIMIT,
    ADDRESS_REQUESTS_PER_MINUTE: UNLIMITED,
    ADDRESS_APPLICATIONS_PER_10_MINUTES: UNLIMITED,
    TOTAL_APPLICATIONS_PER_MINUTE: UNLIMITED,
    LOG_LEVEL: "warn",
    NODE_COMPILE_CACHE: join(tmpdir(), "chaos-compile-cache"),
  };
}

/** Presses the button at a steady rate; each application is sent again with its key until it has a receipt. */
function submitSteadily(url: string, rate: number, acknowledged: Acknowledged) {
  let count = 0;
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (underWay.size >= MOST_VISITORS) return;
    const visitor = untilAcknowledged(url, count++, acknowledged).finally(() => {
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

async function untilAcknowledged(
  url: string,
  index: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const route = index % 2 === 0 ? "sms" : "mail";
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: asJson({ name: `혼돈${index}` }),
  };
  for (;;) {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const receipt = await fetch(`${url}/api/${route}/training-application`, { ...request, signal })
      .then(async (answer) => (answer.ok ? receiptIn(await answer.json()) : undefined))
      .catch(() => undefined);
    if (receipt) {
      acknowledged.set(receipt.applicationId, Date.now());
      return;
    }
    await pause(Math.random() * RESEND_WITHIN_MS);
  }
}

async function killAtRandom(
  site: Site,
  { kills, longestLifeMs, random }: { kills: number; longestLifeMs: number; random: () => number },
  say: (kill: number) => void,
): Promise<Restart[]> {
  const restarts: Restart[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    await pause(random() * longestLifeMs);
    const killedAt = Date.now();
    await site.end("SIGKILL");
    restarts.push({ killedAt, startedAt: Date.now() });
    await site.startAgain();
    if (kill % 10 === 0 || kill === kills) say(kill);
  }
  return restarts;
}

/** Waits until nothing waits any more. */
async function drained(site: Site): Promise<void> {
  const deadline = Date.now() + DRAIN_LIMIT_MS;
  while (Date.now() < deadline) {
    await pause(1_000);
    const waiting = await applications(site, "list", "--state", "open", "--json");
    if (waiting.stdout.trim() === "[]") return;
  }
}
