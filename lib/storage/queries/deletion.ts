import { sql } from "kysely";
import type { Trx } from "#lib/storage/tables.ts";

/** Deletes applications that were delivered or closed before `time`, other finished notices, and old charges. */
export async function deleteExpired(trx: Trx, time: number): Promise<string[]> {
  const { rows } = await sql<{ applicationId: string }>`delete from applications
    where application_id in (select application_id from notices
      where kind = 'application' and state in ('done', 'closed') and finished_at < ${time})
    returning application_id`.execute(trx);
  // The newest weekly summary stays, because the next summary begins where the newest summary ended.
  await sql`delete from notices where application_id is null and state in ('done', 'given-up') and finished_at < ${time}
    and id <> coalesce((select max(id) from notices
      where kind = 'weekly' and state = 'done'), 0)`.execute(trx);
  await sql`delete from charges where at < ${time}`.execute(trx);
  return rows.map((row) => row.applicationId);
}

/** `underWay` counts the applications that stay, because their outcome is still to be recorded. */
export async function forgetPhone(trx: Trx, phone: string) {
  const { rows } = await sql<{ applicationId: string; sending: number }>`
    select application_id, (select count(*) from messages inner join notices on notices.id = notice_id
      where notices.application_id = applications.application_id and messages.state = 'sending') as sending
    from applications where phone = ${phone}`.execute(trx);
  const applicationIds = rows.flatMap((row) => (row.sending === 0 ? [row.applicationId] : []));
  const underWay = rows.length - applicationIds.length;
  if (applicationIds.length === 0) return { applicationIds, underWay };
  await trx.deleteFrom("applications").where("applicationId", "in", applicationIds).execute();
  return { applicationIds, underWay };
}
