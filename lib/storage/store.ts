/**
 * Each operation is a query in queries/ and a line here. All times are ms since the epoch. While the database is
 * unavailable, every operation rejects with StorageUnavailable.
 */
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import type { Database, WriteLock } from "#lib/storage/database.ts";
import { groupCommits } from "#lib/storage/group-commit.ts";
import { acceptApplication } from "#lib/storage/queries/accept.ts";
import * as applications from "#lib/storage/queries/applications.ts";
import * as attempts from "#lib/storage/queries/attempts.ts";
import { countApplications } from "#lib/storage/queries/counts.ts";
import * as deletion from "#lib/storage/queries/deletion.ts";
import * as enqueue from "#lib/storage/queries/enqueue.ts";
import * as evidence from "#lib/storage/queries/evidence.ts";
import * as jobs from "#lib/storage/queries/jobs.ts";
import * as lease from "#lib/storage/queries/lease.ts";
import * as notes from "#lib/storage/queries/notes.ts";
import { probeAcceptance } from "#lib/storage/queries/probe.ts";
import type { Db, Trx } from "#lib/storage/tables.ts";

export type Store = ReturnType<typeof createStore>;

export function createStore(database: Database, newNumber?: () => string) {
  const { read, write, asHolder } = bindQueries(database);
  const acceptances = groupCommits<NewApplication, Acceptance>((group) =>
    database.write(
      (trx) => Array.fromAsync(group, (each) => acceptApplication(trx, each, newNumber)),
      "intake",
    ),
  );
  /** The last application that could not be stored, until one could. */
  let refused: NewApplication | undefined;
  const deleteExpiredRows = write(deletion.deleteExpired, "deliveries");
  const forget = write(deletion.forgetPhone, "deliveries");
  return {
    now: () => database.now(),
    /** Closes the database after the running operations. Later calls are refused. */
    close: async () => {
      await acceptances.idle();
      await database.close();
    },
    async accept(application: NewApplication): Promise<Acceptance> {
      try {
        const acceptance = await acceptances.submit(application);
        refused = undefined;
        return acceptance;
      } catch (error) {
        refused = application;
        throw error;
      }
    },
    /** `needsRoom`: writes 32 KB, see queries/probe.ts. @throws while applications are refused */
    async probeAcceptance(now: number, needsRoom = refused !== undefined): Promise<void> {
      const probed = refused;
      await probeAcceptance(database, { now, refused: probed, needsRoom });
      if (refused === probed) refused = undefined;
    },

    acquireLease: write(
      (trx, request: Omit<lease.LeaseRequest, "lastIsGone">) =>
        lease.acquireLease(trx, { ...request, lastIsGone: database.acquireWorkerLock() }),
      "deliveries",
    ),
    releaseLease: asHolder(lease.releaseLease),
    dueJobs: read(jobs.dueJobs),
    nextDueAt: read(jobs.nextDueAt),
    recordAttempts: asHolder(attempts.recordAttempts),
    recordOutcomes: asHolder(attempts.recordOutcomes),
    closeAttempt: write(attempts.closeAttempt, "deliveries"),
    closeAttemptsAsNotSent: asHolder(attempts.closeAttemptsAsNotSent),
    saveRun: asHolder(jobs.saveRun),
    findEarlierJob: read(enqueue.findEarlierJob),
    enqueueOrRestart: asHolder(enqueue.enqueueOrRestart),
    enqueueWeeklyJobs: asHolder(enqueue.enqueueWeeklyJobs),
    previousSummaryTopic: read(enqueue.previousSummaryTopic),
    readEvidence: read(evidence.readEvidence),
    findWorkingSince: read(evidence.findWorkingSince),

    list: read(applications.listApplications),
    find: read(applications.findApplication),
    findIds: read(applications.findApplicationIds),
    counts: read(countApplications),
    changeJob: <Answer>(
      applicationId: string,
      decide: Parameters<typeof jobs.changeJob<Answer>>[2],
    ) => database.write((trx) => jobs.changeJob(trx, applicationId, decide), "deliveries"),
    findNote: read(notes.findNote),
    writeNote: write(notes.writeNote),

    deleteKeysBefore: write(deletion.deleteKeysBefore),
    deleteExpired: async (time: number): Promise<string[]> => {
      const deleted = await deleteExpiredRows(time);
      // The journal is purged even without deletions, because another process may have prevented an earlier purge.
      await database.purgeJournal();
      return deleted;
    },
    forgetPhone: async (phone: string) => ({
      ...(await forget(phone)),
      /** False while the journal still contains deleted rows. */
      journalPurged: await database.purgeJournal(),
    }),
  };
}

type Query<Database, Terms extends unknown[], Result> = (
  database: Database,
  ...terms: Terms
) => Promise<Result>;
type Write<Terms extends unknown[], Result> = Query<Trx, Terms, Result>;

function bindQueries(database: Database) {
  const read =
    <Terms extends unknown[], Result>(query: Query<Db, Terms, Result>) =>
    (...terms: Terms): Promise<Result> =>
      database.read((db) => query(db, ...terms));

  /** A query whose writes depend on its reads needs the lock of the queries that change those rows. */
  const write =
    <Terms extends unknown[], Result>(query: Write<Terms, Result>, lock?: WriteLock) =>
    (...terms: Terms): Promise<Result> =>
      database.write((trx) => query(trx, ...terms), lock);

  /** A worker that has lost the lease changes nothing, and gets undefined. */
  const asHolder = <Terms extends unknown[], Result>(query: Write<Terms, Result>) =>
    write(
      async (trx, holder: string, ...terms: Terms) =>
        (await lease.hasLease(trx, holder)) ? query(trx, ...terms) : undefined,
      "deliveries",
    );

  return { read, write, asHolder };
}
