/**
 * The store: an operation is a query in queries/ and a line here. All times are ms since the epoch. While the database
 * is out, every operation rejects with StorageUnavailable; the store opens the database anew by itself at a later call.
 */
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import type { Database, WriteLock } from "#lib/storage/database.ts";
import { grouped } from "#lib/storage/group-commit.ts";
import { acceptApplications } from "#lib/storage/queries/accept.ts";
import * as attempts from "#lib/storage/queries/attempts.ts";
import * as deletion from "#lib/storage/queries/deletion.ts";
import * as faults from "#lib/storage/queries/faults.ts";
import * as jobs from "#lib/storage/queries/jobs.ts";
import * as notes from "#lib/storage/queries/notes.ts";
import * as notices from "#lib/storage/queries/notices.ts";
import * as owner from "#lib/storage/queries/owner.ts";
import { resend } from "#lib/storage/queries/resend.ts";
import * as worker from "#lib/storage/queries/worker.ts";
import type { Reading, Writing } from "#lib/storage/tables.ts";

export type Store = ReturnType<typeof storeOn>;

/** The store on a database of any make. */
export function storeOn(database: Database, newNumber?: () => string) {
  const { read, write, held } = waysInto(database);
  const acceptances = grouped<NewApplication, Acceptance>((applications) =>
    database.write((writing) => acceptApplications(writing, applications, newNumber), "intake"),
  );
  const deleteDelivered = write(deletion.deleteDeliveredBefore, "deliveries");
  const forget = write(deletion.forgetPhone, "deliveries");
  const shouldRaise = read(notices.mayRaise);
  const raise = held(notices.raiseJob);
  return {
    /** The clock that all servers on this database go by. */
    now: () => database.now(),
    /** Lets what is under way finish, then closes; afterwards every call is refused. */
    close: async () => {
      await acceptances.idle();
      await database.close();
    },
    accept: acceptances.submit,

    holdWorker: write(
      (writing, holder: string, { now = database.now(), hasChannel = false } = {}) =>
        worker.holdWorker(writing, { holder, now, hasChannel, lastIsGone: database.takePlace() }),
      "deliveries",
    ),
    letGoOfWorker: held(worker.letGoOfWorker),
    dueJobs: read(jobs.dueJobs),
    nextDueAt: read(jobs.nextDueAt),
    recordAttempts: held(attempts.recordAttempts),
    recordOutcomes: held(attempts.recordOutcomes),
    withdrawAttempts: held(attempts.withdrawAttempts),
    settleJob: held(jobs.settleJob),
    putIntoDigest: held(jobs.putIntoDigest),
    /** Reads first: hardly anything is ever raised, and a write is an fsync. */
    raise: async (holder: string, raised: notices.Raised, now: number): Promise<void> => {
      if (await shouldRaise(raised, now)) await raise(holder, raised, now);
    },
    failing: read(faults.failing),
    worksSince: read(faults.worksSince),
    lastWeeks: read(notices.lastWeeks),
    lastJobBefore: read(notices.lastJobBefore),

    list: read(owner.listApplications),
    find: read(owner.findApplication),
    existing: read(owner.existingApplications),
    findByPhone: read(deletion.findByPhone),
    counts: read(owner.countJobs),
    resend: write(resend, "deliveries"),
    findNote: read(notes.findNote),
    writeNote: write(notes.writeNote),
    probeWrite: write(notes.probeWrite),

    deleteKeysBefore: write(deletion.deleteKeysBefore),
    deleteDeliveredBefore: async (time: number): Promise<string[]> => {
      const deleted = await deleteDelivered(time);
      // Also when nothing was deleted now: the last time another process may have been reading the journal.
      await database.purgeJournal();
      return deleted;
    },
    forgetPhone: async (phone: string) => ({
      ...(await forget(phone)),
      /** Whether the journal is free of what was deleted. */
      journalPurged: await database.purgeJournal(),
    }),
  };
}

type Query<Database, Terms extends unknown[], Result> = (
  database: Database,
  ...terms: Terms
) => Promise<Result>;
type Write<Terms extends unknown[], Result> = Query<Writing, Terms, Result>;

function waysInto(database: Database) {
  const read =
    <Terms extends unknown[], Result>(query: Query<Reading, Terms, Result>) =>
    (...terms: Terms): Promise<Result> =>
      database.read((reading) => query(reading, ...terms));

  /** A query that decides by what it has read needs the lock of those that could change that meanwhile. */
  const write =
    <Terms extends unknown[], Result>(query: Write<Terms, Result>, lock?: WriteLock) =>
    (...terms: Terms): Promise<Result> =>
      database.write((writing) => query(writing, ...terms), lock);

  /** All that a worker writes names it: what a late one writes changes nothing, and is `lost`. */
  const held = <Terms extends unknown[], Result>(query: Write<Terms, Result>) =>
    write(
      async (writing, holder: string, ...terms: Terms) =>
        (await worker.isHolder(writing, holder)) ? query(writing, ...terms) : "lost",
      "deliveries",
    );

  return { read, write, held };
}
