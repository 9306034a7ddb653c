import { sql } from "kysely";
import { SECOND } from "#lib/application/durations.ts";
import type { Database, Lease, LeaseRequest } from "#lib/storage/database.ts";
import type { Trx } from "#lib/storage/tables.ts";

export const CREATE_LEASE_TABLE =
  "create table worker (id integer primary key, holder text not null, has_channel integer not null, seen_at bigint not null)";

/** A worker without a renewal for this long counts as ended: a server cannot tell a dead host from a slow one. */
const LEASE_DURATION_MS = 20 * SECOND;
const RENEW_AFTER_MS = 2 * SECOND;

/** The database's own clock, which all servers share. */
const CLOCK = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** The lease of the servers on one PostgreSQL: a row with the holder and the time of its last renewal. */
export function createRowLease(database: Pick<Database, "write">): Lease {
  return {
    acquire: (request) => database.write((trx) => acquire(trx, request), "deliveries"),
    async isHeldBy(trx, holder) {
      const { rows } = await sql`select 1 from worker where holder = ${holder}`.execute(trx);
      return rows.length > 0;
    },
    async release(holder) {
      await database.write(async (trx) => {
        await sql`delete from worker where holder = ${holder}`.execute(trx);
      }, "deliveries");
    },
  };
}

/** A worker with a channel takes the lease at once from one without a channel, whose files would reach nobody. */
async function acquire(trx: Trx, { holder, hasChannel }: LeaseRequest) {
  const { rows } = await sql<{ holder: string; hasChannel: number; sinceRenewal: number }>`
    select holder, has_channel, abs(${CLOCK} - seen_at) as since_renewal from worker`.execute(trx);
  const [row] = rows;
  if (row?.holder === holder) {
    if (row.sinceRenewal >= RENEW_AFTER_MS) await renew(trx);
    return "kept";
  }
  const isLiving = row !== undefined && row.sinceRenewal < LEASE_DURATION_MS;
  if (isLiving && (row.hasChannel === 1 || !hasChannel)) return "held-by-another";
  await sql`insert into worker (id, holder, has_channel, seen_at)
    values (1, ${holder}, ${hasChannel ? 1 : 0}, ${CLOCK})
    on conflict (id) do update set holder = excluded.holder, has_channel = excluded.has_channel,
      seen_at = excluded.seen_at`.execute(trx);
  return "acquired";
}

/** A renewal need not survive a power cut, so nothing waits for the disk. */
async function renew(trx: Trx): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
  await sql`update worker set seen_at = ${CLOCK}`.execute(trx);
}
