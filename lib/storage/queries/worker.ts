/** One worker sends at a time, over all servers: a row with its name, renewed as long as it lives. */
import { sql } from "kysely";
import type { Writing } from "#lib/storage/tables.ts";

/** A worker that was not seen for this long is followed by another, unless it is known to be gone. */
const GONE_AFTER_MS = 20_000;

export interface Holding {
  holder: string;
  now: number;
  /** Something is configured that can carry what was only filed. */
  hasChannel: boolean;
  /** The database knows that the last worker's process is gone: nobody waits for it. */
  lastIsGone: boolean;
}

/**
 * Takes the row, or renews it: `new` for a worker that has just taken it, `other` while another one has it. By the
 * database's clock, so that servers whose clocks differ agree. What the last one was sending may be out; each application,
 * and what else was begun, is looked at anew, since the settings may be others; what was only filed goes out, where
 * something can carry it now.
 */
export async function holdWorker(
  writing: Writing,
  { holder, now, hasChannel, lastIsGone }: Holding,
): Promise<"new" | "held" | "other"> {
  const { rows } = await sql<{ holder: string; gone: number }>`
    select holder, case when abs(database_clock.now - seen_at) >= ${GONE_AFTER_MS} then 1 else 0 end as gone
    from worker, database_clock`.execute(writing);
  const [row] = rows;
  if (row && row.holder !== holder && row.gone === 0 && !lastIsGone) return "other";
  await sql`insert into worker (id, holder, seen_at) select 1, ${holder}, now from database_clock where true
    on conflict (id) do update set holder = excluded.holder, seen_at = excluded.seen_at`.execute(
    writing,
  );
  if (row?.holder === holder) return "held";
  await sql`update jobs set next_at = ${now} where state = 'open'
    and (application_id is not null or id in (select job_id from attempts))`.execute(writing);
  await doubtLeaving(writing, now);
  if (hasChannel) {
    await sql`update jobs set state = 'open', next_at = ${now}, retry_at = ${now}, raised_at = ${now},
      settled_at = null where state = 'filed'`.execute(writing);
  }
  return "new";
}

export async function isHolder(writing: Writing, holder: string): Promise<boolean> {
  const { rows } = await sql`select 1 from worker where holder = ${holder}`.execute(writing);
  return rows.length > 0;
}

/** At a stop: another worker need not wait. */
export async function letGoOfWorker(writing: Writing): Promise<void> {
  await writing.deleteFrom("worker").execute();
}

/** What was leaving when its process died may be out. */
export async function doubtLeaving(writing: Writing, now: number): Promise<void> {
  await sql`update attempts set outcome = 'unknown', ended_at = ${now} where outcome = 'sending'`.execute(
    writing,
  );
}
