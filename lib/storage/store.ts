/**
 * What the other folders ask of the storage. Most operations are one query of queries/; the delivery also calls such
 * queries within its own transactions. All times are ms since the epoch. While the database is unavailable, operations
 * that use it reject with StorageUnavailable.
 */

import type { Database, Lease, LeaseRequest } from "#lib/storage/database.ts";
import { groupCommits } from "#lib/storage/group-commit.ts";
import { acceptApplication } from "#lib/storage/queries/accept.ts";
import * as applications from "#lib/storage/queries/applications.ts";
import * as counts from "#lib/storage/queries/counts.ts";
import * as deletion from "#lib/storage/queries/deletion.ts";
import * as evidence from "#lib/storage/queries/evidence.ts";
import * as messages from "#lib/storage/queries/messages.ts";
import * as notes from "#lib/storage/queries/notes.ts";
import * as notices from "#lib/storage/queries/notices.ts";
import { probeAcceptance } from "#lib/storage/queries/probe.ts";
import type { Acceptance, NewApplication } from "#lib/storage/stored-application.ts";
import type { Db, Trx } from "#lib/storage/tables.ts";

export type Store = ReturnType<typeof createStore>;

export function createStore(database: Database, lease: Lease, drawNumber?: () => string) {
  const read =
    <Terms extends unknown[], Result>(query: (db: Db, ...terms: Terms) => Promise<Result>) =>
    (...terms: Terms): Promise<Result> =>
      database.read((db) => query(db, ...terms));
  /** Changes whose writes depend on their reads run one after another. */
  const change = <Result>(work: (trx: Trx) => Promise<Result>): Promise<Result> =>
    database.write(work, "deliveries");
  const acceptances = groupCommits<NewApplication, Acceptance>((group) =>
    database.write(
      (trx) => Array.fromAsync(group, (each) => acceptApplication(trx, each, drawNumber)),
      "intake",
    ),
  );
  /** The last application that could not be stored; undefined after a later application or a probe succeeds. */
  let unstored: NewApplication | undefined;
  return {
    now: () => database.now(),
    /** Closes the database after the running operations. Later calls fail. */
    close: async () => {
      await acceptances.waitUntilIdle();
      await database.close();
    },
    async accept(application: NewApplication): Promise<Acceptance> {
      try {
        const acceptance = await acceptances.submit(application);
        unstored = undefined;
        return acceptance;
      } catch (error) {
        unstored = application;
        throw error;
      }
    },
    /** `checksRoom`: writes 32 KB, see queries/probe.ts. @throws while no application can be stored */
    async probeAcceptance(now: number, checksRoom = unstored !== undefined): Promise<void> {
      const probed = unstored;
      await probeAcceptance(database, { now, unstored: probed, checksRoom });
      if (unstored === probed) unstored = undefined;
    },

    acquireLease: (request: LeaseRequest) => lease.acquire(request),
    releaseLease: (holder: string) => lease.release(holder),
    /** Runs work in one transaction. A worker that has lost the lease changes nothing, and gets undefined. */
    asHolder: <Result>(
      holder: string,
      work: (trx: Trx) => Promise<Result>,
    ): Promise<Result | undefined> =>
      change(async (trx) => ((await lease.isHeldBy(trx, holder)) ? work(trx) : undefined)),
    /** Runs work in one transaction without the lease, at a person's request. */
    change,
    listNewNoticeIds: read(notices.listNewNoticeIds),
    findNotice: read(notices.findNotice),
    listDueMessages: read(messages.listDueMessages),
    readNextDueTime: read(messages.readNextDueTime),
    findEarlierNotice: read(notices.findEarlierNotice),
    findPreviousWeek: read(notices.findPreviousWeek),
    listEvidence: read(evidence.listEvidence),
    readFaultTimes: read(evidence.readFaultTimes),

    list: read(applications.listApplications),
    find: read(applications.findApplication),
    listApplicationIds: read(applications.listApplicationIds),
    countApplications: read(counts.countApplications),
    countUncalled: read(counts.countUncalled),
    readNote: read(notes.readNote),
    writeNote: (name: notes.NoteName, note: notes.Note): Promise<void> =>
      database.write((trx) => notes.writeNote(trx, name, note)),

    deleteExpired: async (time: number): Promise<string[]> => {
      const deleted = await change((trx) => deletion.deleteExpired(trx, time));
      // Even without deletions, because another process may have prevented an earlier erasure.
      await database.eraseDeletedRows();
      return deleted;
    },
    forgetPhone: async (phone: string) => ({
      ...(await change((trx) => deletion.forgetPhone(trx, phone))),
      /** False while the journal still contains deleted rows. */
      areRowsErased: await database.eraseDeletedRows(),
    }),
  };
}
