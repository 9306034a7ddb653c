/** The end of a chaos run: what was acknowledged, what is stored and what the owner got, compared. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { parseApplicationId } from "#lib/application/application-id.ts";
import { numbersIn } from "#testing/numbers-in.ts";
import { administer } from "#testing/peers/postgres.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";

export interface ChaosReport {
  kills: number;
  seconds: number;
  acknowledged: number;
  stored: number;
  /** Acknowledged, and not in the store. */
  lost: number;
  /** Acknowledged, and not with the owner in the end. */
  undelivered: number;
  /** Rows beyond one for the same submission. */
  duplicateRows: number;
  /** Messages beyond one for the same application. */
  duplicateMessages: number;
  /** Of those, mails with the Message-ID of the first, which mail programs show once. */
  repeatedMails: number;
  mostForOne: number;
  /** The most mails for one application. */
  mostMailed: number;
  /** Of what was acknowledged before a kill and arrived after it: from the start of the next process. */
  afterRestart: { count: number; p50Ms: number; p99Ms: number; maxMs: number };
}

/** Acknowledgements by application number: when each came. */
export type Acknowledged = Map<string, number>;

export interface Restart {
  killedAt: number;
  startedAt: number;
}

export interface Mail {
  at: number;
  /** It holds the application's number, so that nothing else of the mail has to be kept. */
  messageId: string;
}

export function messageIdIn(raw: string): string {
  return /^Message-ID: <([^>]+)>/im.exec(raw)?.[1] ?? "";
}

interface Arrival {
  at: number;
  messageId: string | undefined;
}

/** What the owner got, by application number. */
export function receivedBy(twilio: TwilioPeer, mails: readonly Mail[]): Map<string, Arrival[]> {
  const texts = twilio.messages.map(({ body, dateCreated }) => {
    return { number: numbersIn(body)[0], at: dateCreated.getTime(), messageId: undefined };
  });
  const letters = mails.map(({ at, messageId }) => {
    return { number: parseApplicationId(messageId.split(".")[0] ?? ""), at, messageId };
  });
  const received = new Map<string, Arrival[]>();
  for (const { number, ...arrival } of [...texts, ...letters]) {
    if (number === undefined) continue;
    const all = received.get(number);
    if (all) all.push(arrival);
    else received.set(number, [arrival]);
  }
  return received;
}

/** The stored applications: number and the name that tells one submission from another. */
const STORED = "SELECT application_id AS number, name FROM applications";
const STORED_ROWS = z.array(z.object({ number: z.string(), name: z.string() }));

export function storedIn(dataDir: string) {
  const database = new DatabaseSync(join(dataDir, "applications.db"), { readOnly: true });
  try {
    return STORED_ROWS.parse(database.prepare(STORED).all());
  } finally {
    database.close();
  }
}

export const storedAt = async (url: string) => STORED_ROWS.parse(await administer(url, STORED));

export function compare(
  acknowledged: Acknowledged,
  rows: { number: string; name: string }[],
  received: Map<string, Arrival[]>,
) {
  const numbers = new Set(rows.map(({ number }) => number));
  const submissions = new Set(rows.map(({ name }) => name));
  const arrivals = [...received.values()];
  const repeats = arrivals.flatMap((all) => {
    const ids = mailsAmong(all);
    return ids.slice(new Set(ids).size);
  });
  return {
    acknowledged: acknowledged.size,
    stored: rows.length,
    lost: [...acknowledged.keys()].filter((number) => !numbers.has(number)).length,
    undelivered: [...acknowledged.keys()].filter((number) => !received.has(number)).length,
    duplicateRows: rows.length - submissions.size,
    duplicateMessages: arrivals.reduce((sum, all) => sum + all.length - 1, 0),
    repeatedMails: repeats.length,
    mostForOne: arrivals.reduce((most, all) => Math.max(most, all.length), 0),
    mostMailed: arrivals.reduce((most, all) => Math.max(most, mailsAmong(all).length), 0),
  };
}

const mailsAmong = (arrivals: readonly Arrival[]) =>
  arrivals.flatMap(({ messageId }) => messageId ?? []);

export function timesAfterRestart(
  acknowledged: Acknowledged,
  restarts: readonly Restart[],
  received: Map<string, Arrival[]>,
) {
  const times: number[] = [];
  for (const [number, acknowledgedAt] of acknowledged) {
    const first = Math.min(...(received.get(number) ?? []).map(({ at }) => at));
    const restart = restarts.find(({ killedAt }) => killedAt > acknowledgedAt);
    if (restart && Number.isFinite(first) && first > restart.killedAt) {
      times.push(first - restart.startedAt);
    }
  }
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return {
    count: times.length,
    p50Ms: at(0.5) ?? 0,
    p99Ms: at(0.99) ?? 0,
    maxMs: times.at(-1) ?? 0,
  };
}
