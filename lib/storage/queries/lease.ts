/** The lease is a row with the name of the one worker that may send, among all servers. */
import { sql } from "kysely";
import type { Trx } from "#lib/storage/tables.ts";

export interface LeaseRequest {
  holder: string;
  now: number;
  leaseMs: number;
  /** True if a configured channel can deliver the filed applications. */
  hasChannel: boolean;
  /** True if the process of the last holder is known to have ended, so that nobody needs to wait. */
  lastIsGone: boolean;
}

/** A new holder makes every application and attempted job due: outcomes may be unknown, and faults may be mended. */
export async function acquireLease(trx: Trx, request: LeaseRequest) {
  const { holder, now, leaseMs, hasChannel, lastIsGone } = request;
  const { rows } = await sql<{ holder: string; sinceRenewal: number }>`
    select holder, abs(database_clock.now - seen_at) as since_renewal
    from worker, database_clock`.execute(trx);
  const [row] = rows;
  if (row?.holder === holder) {
    // A worker asks before every pass, and each renewal is an fsync.
    if (row.sinceRenewal < leaseMs / 10) return "renewed";
    await sql`update worker set seen_at = (select now from database_clock)`.execute(trx);
    return "renewed";
  }
  if (row && row.sinceRenewal < leaseMs && !lastIsGone) return "held-by-another";
  await sql`insert into worker (id, holder, seen_at, attempts_before)
    select 1, ${holder}, now, (select coalesce(max(id), 0) from attempts) from database_clock where true
    on conflict (id) do update set holder = excluded.holder, seen_at = excluded.seen_at,
      attempts_before = excluded.attempts_before`.execute(trx);
  await sql`update jobs set next_at = ${now} where state = 'open' and next_at > ${now}
    and (application_id is not null or id in (select job_id from attempts))`.execute(trx);
  await markSendingUnknown(trx, now);
  if (hasChannel) {
    await sql`update jobs set state = 'open', tries = 0, next_at = ${now}, retry_at = ${now}, enqueued_at = ${now},
      finished_at = null where state = 'filed'`.execute(trx);
  }
  return "acquired";
}

export async function hasLease(trx: Trx, holder: string): Promise<boolean> {
  const { rows } = await sql`select 1 from worker where holder = ${holder}`.execute(trx);
  return rows.length > 0;
}

export async function releaseLease(trx: Trx): Promise<void> {
  await trx.deleteFrom("worker").execute();
}

async function markSendingUnknown(trx: Trx, now: number): Promise<void> {
  await sql`update attempts set outcome = 'unknown', ended_at = ${now}
    where outcome = 'sending'`.execute(trx);
}
