import { sql } from "kysely";
import { attemptsOf, isReached } from "#lib/storage/queries/attempts.ts";
import type { JobRow, Writing } from "#lib/storage/tables.ts";

/** What became of the owner's wish to have an application sent now. */
export type Resent =
  /** It goes out as soon as a worker looks. `doubtful`: it may be out, which is looked into first. */
  | { outcome: "due"; doubtful: boolean }
  /** The owner has it already; only `again` sends it once more. */
  | { outcome: "done" }
  /** It is leaving just now. */
  | { outcome: "under-way" }
  /** A provider has it, and is asked what became of it; only `again` sends it once more. */
  | { outcome: "sent" }
  /** It waits to go out together with others in one mail, at `dueAt`. */
  | { outcome: "in-digest"; dueAt: number }
  | { outcome: "absent" };

/**
 * Makes a job due at once, unless a message of it is leaving; what the owner has only with `again`. For a person says
 * that what refused was mended, what was sent before counts no more; but where a message may be out, the doubt stays,
 * and is looked into before it is sent again.
 */
export async function resend(
  writing: Writing,
  applicationId: string,
  { again, now }: { again: boolean; now: number },
): Promise<Resent> {
  const { rows } = await sql<JobRow & { due_at: number | null }>`
    select jobs.*, digests.next_at as due_at from jobs left join jobs as digests on digests.id = jobs.digest and digests.state = 'open'
    where jobs.application_id = ${applicationId}`.execute(writing);
  const [job] = rows;
  if (!job) return { outcome: "absent" };
  const { id, state, due_at: dueAt } = job;
  const attempts = await attemptsOf(writing, [{ ...job, digest: null }]);
  const outcomes = attempts.map(({ outcome }) => outcome);
  if (outcomes.includes("sending")) return { outcome: "under-way" };
  // Its Message-ID is the digest's: one that leaves early would be taken for a repeat of a later one.
  if (state === "open" && dueAt !== null) return { outcome: "in-digest", dueAt };
  if (!again && state === "done") return { outcome: "done" };
  const has = outcomes.some(isReached);
  if (!again && state === "open" && has) return { outcome: "sent" };
  const doubtful = state === "open" && !again && outcomes.includes("unknown");
  await sql`update jobs set state = 'open', next_at = ${now}, retry_at = ${now}, tries = 0, settled_at = null, digest = null,
      raised_at = ${state === "open" && !again ? sql`raised_at` : now},
      repeats = repeats + ${again && (state === "done" || has) ? 1 : 0},
      attempts_after = ${doubtful ? sql`attempts_after` : sql`(select coalesce(max(id), 0) from attempts)`}
    where id = ${id}`.execute(writing);
  return { outcome: "due", doubtful };
}
