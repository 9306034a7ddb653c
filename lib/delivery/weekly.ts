/** The summary of the week on Mondays: with it the owner notices an application that never arrived. */

import type { SmsCaps } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import {
  type LeasedSummary,
  nextSummaryAt,
  type SummaryResult,
  type SummaryWeek,
  summaryWeek,
} from "#lib/application/weekly-summary.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { WeeklySummary } from "#lib/channels/weekly-summary.ts";
import type { Clock } from "#lib/clock.ts";
import { nextAttemptAt } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/** Longer than any conversation with a mail server: a lease runs out only under a worker that is dead. */
const LEASE_MS = 60 * 60_000;

export interface WeeklyNeeds {
  store: Pick<DeliveryStore, "claimSummary" | "recordSummaryIntent" | "noteSummary" | "list">;
  channels: Channels;
  caps: SmsCaps;
  now: Clock;
  random: () => number;
}

/**
 * Sends the summary of this Monday, if it is due: by mail; by SMS where there is no mail, or where the mail could
 * not be sent by noon; as a file where there is neither. After two days it is left out.
 * @throws StorageUnavailable
 */
export async function sendWeeklySummary(needs: WeeklyNeeds, signal: AbortSignal): Promise<void> {
  const { store, now } = needs;
  const week = summaryWeek(now());
  if (now() >= week.lateAt) return;
  const lease = await store.claimSummary(week, { now: now(), leaseMs: LEASE_MS });
  if (lease === undefined) return;
  const result = await attempt(await gather(lease, week, needs), { lease, week, needs, signal });
  await store.noteSummary(lease, result, now());
  const { monday } = lease;
  if (result.state === "waiting") {
    const next = new Date(result.nextAttemptAt).toISOString();
    log.warn({ monday, next }, "the weekly summary did not go out and is tried again");
  } else if (result.state === "unknown") {
    log.warn({ monday }, "the weekly summary may have gone out");
  } else {
    log.info({ monday, by: result.transport }, "the weekly summary went out");
  }
}

async function gather(
  { monday, from, until }: LeasedSummary,
  week: SummaryWeek,
  { store, now }: WeeklyNeeds,
): Promise<WeeklySummary> {
  const newestFirst = await store.list({ since: from, until });
  const applications = newestFirst.toReversed();
  return { id: monday, from, until, nextAt: nextSummaryAt(week), applications, now: now() };
}

interface Attempt {
  lease: LeasedSummary;
  week: SummaryWeek;
  needs: WeeklyNeeds;
  signal: AbortSignal;
}

async function attempt(summary: WeeklySummary, around: Attempt): Promise<SummaryResult> {
  const { lease, week, needs } = around;
  const { channels, caps, now, random, store } = needs;
  const later = (time = 0): SummaryResult => {
    const failed = { attempts: lease.attempts + 1, refused: false, notBefore: time };
    const planned = nextAttemptAt({ ...failed, now: now(), random: random() }) ?? week.lateAt;
    // At noon the SMS takes over: a pause must not sleep through it.
    const noon = now() < week.noonAt && channels.mail && channels.sms ? week.noonAt : planned;
    return { state: "waiting", nextAttemptAt: Math.min(planned, noon) };
  };

  if (channels.mail === undefined && channels.sms === undefined) {
    const intent = { transport: "file", texts: 0, caps, now: now() } as const;
    const noted = await store.recordSummaryIntent(lease, intent);
    if (noted.outcome !== "recorded") return later();
    const fault = await channels.file.writeSummary(summary);
    return fault === undefined ? { state: "sent", transport: "file" } : later();
  }
  const inOrder: Channel[] = now() < week.noonAt && channels.mail ? ["mail"] : ["mail", "sms"];
  let freeAt: number | undefined;
  for (const name of inOrder) {
    const channel = channels[name];
    if (channel === undefined) continue;
    const mayLeave = async () => {
      const texts = name === "sms" ? channel.recipients.length : 0;
      const intent = { transport: name, texts, caps, now: now() };
      const noted = await store.recordSummaryIntent(lease, intent);
      if (noted.outcome === "capped") freeAt = noted.freeAt;
      return noted.outcome === "recorded";
    };
    const insteadOf = name === "sms" && channels.mail ? "mail" : undefined;
    const message = { kind: "weekly", summary, insteadOf } as const;
    const limit = AbortSignal.timeout(channel.tryLimitMs);
    const terms = { signal: AbortSignal.any([around.signal, limit]), mayLeave };
    const outcomes = await channel.send(message, channel.recipients, terms);
    const errors = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []));
    if (errors.length > 0)
      log.warn({ monday: summary.id, by: name, errors }, "the weekly summary met a fault");
    const ended = endOf(outcomes);
    if (ended !== "not-sent") return { state: ended, transport: name };
  }
  return later(freeAt);
}

/** A summary that one recipient has counts as sent: it is not repeated for the others. */
function endOf(outcomes: readonly SendOutcome[]): "sent" | "unknown" | "not-sent" {
  const is = (name: SendOutcome["outcome"]) => outcomes.some(({ outcome }) => outcome === name);
  if (is("delivered") || is("accepted")) return "sent";
  return is("unknown") ? "unknown" : "not-sent";
}
