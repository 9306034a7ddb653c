/** The weekly summary as a row: one for each Monday, leased, noted before it leaves, and how it ended. */
import type { Kysely, Transaction } from "kysely";
import type { IntentResult } from "#lib/application/delivery.ts";
import type {
  LeasedSummary,
  SummaryIntent,
  SummaryResult,
  SummaryWeek,
} from "#lib/application/weekly-summary.ts";
import { roomForTexts } from "#lib/storage/queries/sms-caps.ts";
import type { Tables, WeeklySummariesTable } from "#lib/storage/tables.ts";

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** No attempt is planned further ahead: what seems later was planned before the clock was set back. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

/** Whether a worker has to look after this Monday's summary now. */
export async function isSummaryDue(
  database: Kysely<Tables>,
  { monday }: SummaryWeek,
  now: number,
): Promise<boolean> {
  const row = await summaryOf(database, monday);
  return row === undefined || isOpen(row, now);
}

/**
 * Leases this Monday's summary; it covers what came in since the last one that went out. Undefined when it is not
 * due, another worker has it, or it has ended. One that was about to leave when its process died may be out: it
 * is not sent again, because two of them would be worse than one that the owner asks for.
 */
export async function claimSummary(
  transaction: Transaction<Tables>,
  { monday, until }: SummaryWeek,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<LeasedSummary | undefined> {
  const lease_until = now + leaseMs;
  const row = await summaryOf(transaction, monday);
  if (row === undefined) {
    const covers_from = await coveredUntil(transaction, until);
    const fresh = { monday, covers_from, covers_until: until, state: "waiting" } as const;
    await transaction
      .insertInto("weekly_summaries")
      .values({ ...fresh, attempts: 0, texts: 0, next_attempt_at: now, lease_until, fence: 1 })
      .execute();
    return { monday, fence: 1, from: covers_from, until, attempts: 0 };
  }
  if (!isOpen(row, now)) return undefined;
  if (row.state === "sending") {
    await transaction
      .updateTable("weekly_summaries")
      .set({ state: "unknown", settled_at: now, lease_until: null, fence: row.fence + 1 })
      .where("monday", "=", monday)
      .execute();
    return undefined;
  }
  const fence = row.fence + 1;
  await transaction
    .updateTable("weekly_summaries")
    .set({ fence, lease_until })
    .where("monday", "=", monday)
    .execute();
  const { covers_from: from, covers_until, attempts } = row;
  return { monday, fence, from, until: covers_until, attempts };
}

/** Notes that it is about to leave, as text messages within the caps. */
export async function recordSummaryIntent(
  transaction: Transaction<Tables>,
  { monday, fence }: Pick<LeasedSummary, "monday" | "fence">,
  { transport, texts, caps, now }: SummaryIntent,
): Promise<IntentResult> {
  const freeAt =
    texts === 0
      ? now
      : await roomForTexts(transaction, { texts, of: { notice: monday }, caps, now });
  if (freeAt > now) return { outcome: "capped", freeAt };
  const noted = await transaction
    .updateTable("weekly_summaries")
    .set({ state: "sending", transport, texts, charged_at: texts === 0 ? null : now })
    .where("monday", "=", monday)
    .where("fence", "=", fence)
    .where("state", "in", ["waiting", "sending"])
    .executeTakeFirstOrThrow();
  return { outcome: noted.numUpdatedRows > 0n ? "recorded" : "lost" };
}

/** Notes how an attempt ended, unless another worker has leased it since. */
export async function noteSummary(
  transaction: Transaction<Tables>,
  { monday, fence }: Pick<LeasedSummary, "monday" | "fence">,
  result: SummaryResult,
  now: number,
): Promise<void> {
  await transaction
    .updateTable("weekly_summaries")
    .set(
      result.state === "waiting"
        ? {
            state: "waiting",
            transport: null,
            texts: 0,
            charged_at: null,
            lease_until: null,
            next_attempt_at: result.nextAttemptAt,
          }
        : { state: result.state, transport: result.transport, lease_until: null, settled_at: now },
    )
    .set((expression) => ({ attempts: expression("attempts", "+", 1) }))
    .where("monday", "=", monday)
    .where("fence", "=", fence)
    .execute();
}

/** The newest summary that went out, or may have, and the newest of all; undefined before the first. */
export async function lastSummaries(
  database: Kysely<Tables>,
): Promise<Record<"settled" | "newest", WeeklySummariesTable | undefined>> {
  const newestFirst = database.selectFrom("weekly_summaries").selectAll().orderBy("monday", "desc");
  const settled = await newestFirst.where("state", "in", ["sent", "unknown"]).executeTakeFirst();
  return { settled, newest: await newestFirst.executeTakeFirst() };
}

function summaryOf(database: Kysely<Tables>, monday: string) {
  return database
    .selectFrom("weekly_summaries")
    .selectAll()
    .where("monday", "=", monday)
    .executeTakeFirst();
}

/** Nobody has it, and its time has come. A lease that has run out was left by a process that died. */
function isOpen(row: WeeklySummariesTable, now: number): boolean {
  const passed = (time: number) => time <= now || time > now + LONGEST_WAIT_MS;
  if (row.state !== "waiting" && row.state !== "sending") return false;
  return passed(row.next_attempt_at) && (row.lease_until === null || passed(row.lease_until));
}

/** Where the summary before this one ended; a week before, where there is none. */
async function coveredUntil(transaction: Transaction<Tables>, until: number): Promise<number> {
  const row = await transaction
    .selectFrom("weekly_summaries")
    .select("covers_until")
    .where("state", "in", ["sent", "unknown"])
    .where("covers_until", "<", until)
    .orderBy("covers_until", "desc")
    .executeTakeFirst();
  return row?.covers_until ?? until - WEEK_MS;
}
