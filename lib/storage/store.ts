/**
 * The store: an operation is a query in queries/ and a line here. All times are ms since the epoch. While the database
 * is out, every operation rejects with StorageUnavailable; the store opens the database anew by itself at a later call.
 */
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import type { Database, WriteLock } from "#lib/storage/database.ts";
import { grouped } from "#lib/storage/group-commit.ts";
import { acceptApplications } from "#lib/storage/queries/accept.ts";
import {
  deleteDeliveredBefore,
  deleteKeysBefore,
  findByPhone,
  forgetPhone,
} from "#lib/storage/queries/deletion.ts";
import { failing, worksSince } from "#lib/storage/queries/faults.ts";
import { dueJobs, nextDueAt, putIntoDigest, settleJob } from "#lib/storage/queries/jobs.ts";
import { findNote, probeWrite, writeNote } from "#lib/storage/queries/notes.ts";
import {
  lastJobBefore,
  lastWeeks,
  mayRaise,
  type Raised,
  raiseJob,
} from "#lib/storage/queries/notices.ts";
import {
  countJobs,
  existingApplications,
  findApplication,
  listApplications,
} from "#lib/storage/queries/owner.ts";
import { resend } from "#lib/storage/queries/resend.ts";
import { beginSends, endSends, takeBackSends } from "#lib/storage/queries/sends.ts";
import { holdWorker, isHolder, letGoOfWorker } from "#lib/storage/queries/worker.ts";
import type { Reading, Writing } from "#lib/storage/tables.ts";

export type Store = ReturnType<typeof storeOn>;

/** The store on a database of any make. */
export function storeOn(database: Database, newNumber?: () => string) {
  const { read, write, held } = waysInto(database);
  const acceptances = grouped<NewApplication, Acceptance>((applications) =>
    database.write((writing) => acceptApplications(writing, applications, newNumber), "intake"),
  );
  const deleteDelivered = write(deleteDeliveredBefore, "deliveries");
  const forget = write(forgetPhone, "deliveries");
  const shouldRaise = read(mayRaise);
  const raise = held(raiseJob);
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
      (writing, holder: string, { now = database.now(), hasCarrier = false } = {}) =>
        holdWorker(writing, { holder, now, hasCarrier, lastIsGone: database.takePlace() }),
      "deliveries",
    ),
    letGoOfWorker: held(letGoOfWorker),
    dueJobs: read(dueJobs),
    nextDueAt: read(nextDueAt),
    beginSends: held(beginSends),
    endSends: held(endSends),
    takeBackSends: held(takeBackSends),
    settleJob: held(settleJob),
    putIntoDigest: held(putIntoDigest),
    /** Reads first: hardly anything is ever raised, and a write is an fsync. */
    raise: async (holder: string, raised: Raised, now: number): Promise<void> => {
      if (await shouldRaise(raised, now)) await raise(holder, raised, now);
    },
    failing: read(failing),
    worksSince: read(worksSince),
    lastWeeks: read(lastWeeks),
    lastJobBefore: read(lastJobBefore),

    list: read(listApplications),
    find: read(findApplication),
    existing: read(existingApplications),
    findByPhone: read(findByPhone),
    counts: read(countJobs),
    resend: write(resend, "deliveries"),
    findNote: read(findNote),
    writeNote: write(writeNote),
    probeWrite: write(probeWrite),

    deleteKeysBefore: write(deleteKeysBefore),
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
        (await isHolder(writing, holder)) ? query(writing, ...terms) : "lost",
      "deliveries",
    );

  return { read, write, held };
}
