/** Adds an index for the query of the due jobs, which then reads a few rows however many jobs are due. */
import { type QueryExecutorProvider, sql } from "kysely";

const STATEMENTS = [
  "drop index jobs_by_state",
  "create index jobs_due on jobs (next_at, id, preferred_channel, enqueued_at) where state = 'open'",
];

export async function indexDueJobs(transaction: QueryExecutorProvider): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(transaction);
}
