import { sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import type { Trx } from "#lib/storage/tables.ts";

/** Lifetime of an idempotency key: the promised 7 days, and a day for clocks that differ. */
export const IDEMPOTENCY_KEY_LIFETIME = 8 * DAY;

export async function deleteKeysBefore(trx: Trx, time: number): Promise<void> {
  await trx.deleteFrom("idempotencyKeys").where("createdAt", "<", time).execute();
}

/** Deletes applications that were delivered or closed before `time`, other finished jobs, and old test messages. */
export async function deleteExpired(trx: Trx, time: number): Promise<string[]> {
  const { rows } = await sql<{ applicationId: string }>`delete from applications
    where application_id in (select application_id from jobs
      where kind = 'application' and state in ('done', 'closed') and finished_at < ${time})
    returning application_id`.execute(trx);
  // The newest weekly summary stays, because the next summary begins where the newest summary ended.
  await sql`delete from jobs where application_id is null and state in ('done', 'given-up') and finished_at < ${time}
    and id <> coalesce((select max(id) from jobs
      where kind = 'weekly-summary' and state = 'done'), 0)`.execute(trx);
  await sql`delete from attempts where job_id is null and begun_at < ${time}`.execute(trx);
  return rows.map((row) => row.applicationId);
}

/** `underWay` counts the applications that stay, because their outcome is still to be recorded. */
export async function forgetPhone(trx: Trx, phone: string) {
  const { rows } = await sql<{ applicationId: string; sending: number }>`
    select application_id, (select count(*) from attempts inner join jobs on jobs.id = job_id
      where jobs.application_id = applications.application_id and outcome = 'sending') as sending
    from applications where phone = ${phone}`.execute(trx);
  const applicationIds = rows.flatMap((row) => (row.sending === 0 ? [row.applicationId] : []));
  const underWay = rows.length - applicationIds.length;
  if (applicationIds.length === 0) return { applicationIds, underWay };
  const ofThePerson = sql`application_id in (${sql.join(applicationIds)})`;
  await sql`delete from idempotency_keys where ${ofThePerson}`.execute(trx);
  // The provider knows the person's message by this id.
  await sql`update attempts set provider_id = null
    where job_id in (select id from jobs where ${ofThePerson})`.execute(trx);
  await sql`delete from applications where ${ofThePerson}`.execute(trx);
  return { applicationIds, underWay };
}
