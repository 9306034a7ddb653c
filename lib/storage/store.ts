/**
 * The store, as each of its four consumers knows it: an operation is a query in queries/ and a line here.
 * All times are ms since the epoch. While the database is out, every operation rejects with
 * StorageUnavailable; the store opens the database anew by itself at a later call.
 */
import type { Kysely, Transaction } from "kysely";
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import type { Database, WriteLock } from "#lib/storage/database.ts";
import { grouped } from "#lib/storage/group-commit.ts";
import { acceptApplications } from "#lib/storage/queries/accept.ts";
import {
  deleteDeliveredBefore,
  deleteKeysBefore,
  type Forgotten,
  findByPhone,
  forgetPhone,
} from "#lib/storage/queries/deletion.ts";
import { failing, failingCarrier, worksSince } from "#lib/storage/queries/faults.ts";
import { dueJobs, nextDueAt, putIntoDigest, settleJob } from "#lib/storage/queries/jobs.ts";
import { newApplicationId } from "#lib/storage/queries/new-application-id.ts";
import { findNote, probeWrite, writeNote } from "#lib/storage/queries/notes.ts";
import {
  givenUp,
  lastJobBefore,
  lastWeeks,
  mayRaise,
  type Raised,
  raiseJob,
} from "#lib/storage/queries/notices.ts";
import {
  applicationsBetween,
  countJobs,
  existingApplications,
  findApplication,
  lastWeekly,
  listApplications,
} from "#lib/storage/queries/owner.ts";
import { resend } from "#lib/storage/queries/resend.ts";
import { beginSends, endSends, lastReached, takeBackSends } from "#lib/storage/queries/sends.ts";
import { holdWorker, letGoOfWorker, takeOver } from "#lib/storage/queries/worker.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** For requests. */
const intake = {
  accept:
    ({ accept }: Context) =>
    (application: NewApplication) =>
      accept(application),
  now: clock,
};

/** For the delivery worker. All that it writes names it: what a late one writes changes nothing. */
const delivery = {
  now: clock,
  holdWorker: holdWorkersRow,
  letGoOfWorker: write(letGoOfWorker, "deliveries"),
  takeOver: write(takeOver, "deliveries"),
  dueJobs: read(dueJobs),
  nextDueAt: read(nextDueAt),
  beginSends: write(beginSends, "deliveries"),
  endSends: write(endSends, "deliveries"),
  takeBackSends: write(takeBackSends, "deliveries"),
  settleJob: write(settleJob, "deliveries"),
  putIntoDigest: write(putIntoDigest, "deliveries"),
  raise: raiseWhereDue,
  lastReached: read(lastReached),
  failingCarrier: read(failingCarrier),
  failing: read(failing),
  worksSince: read(worksSince),
  givenUp: read(givenUp),
  lastWeeks: read(lastWeeks),
  lastJobBefore: read(lastJobBefore),
  applicationsBetween: read(applicationsBetween),
  findNote: read(findNote),
  writeNote: write(writeNote),
  deleteDeliveredBefore: deleteDeliveredAndPurge,
  deleteKeysBefore: write(deleteKeysBefore),
  existing: read(existingApplications),
};

/** For the owner's command line. */
const owner = {
  now: clock,
  list: read(listApplications),
  find: read(findApplication),
  counts: read(countJobs),
  failing: read(failing),
  resend: write(resend, "deliveries"),
  deleteDeliveredBefore: deleteDeliveredAndPurge,
  deleteKeysBefore: write(deleteKeysBefore),
  existing: read(existingApplications),
  findNote: read(findNote),
  writeNote: write(writeNote),
  findByPhone: read(findByPhone),
  forgetPhone: forgetAndPurge,
};

/** For health and the doctor. */
const upkeep = {
  probeWrite: write(probeWrite),
  writeNote: write(writeNote),
  findNote: read(findNote),
  counts: read(countJobs),
  failing: read(failing),
  lastWeekly: read(lastWeekly),
};

const operations = { ...intake, ...delivery, ...owner, ...upkeep };

interface Context {
  database: Database;
  accept(application: NewApplication): Promise<Acceptance>;
}

type Bound<Operations extends Record<string, (context: Context) => unknown>> = {
  [Name in keyof Operations]: ReturnType<Operations[Name]>;
};

export interface IntakeStore extends Bound<typeof intake> {}
export interface DeliveryStore extends Bound<typeof delivery> {}
export interface OwnerStore extends Bound<typeof owner> {}
export interface UpkeepStore extends Bound<typeof upkeep> {}

export interface Store extends IntakeStore, DeliveryStore, OwnerStore, UpkeepStore {
  /** Lets what is under way finish, then closes; afterwards every call is refused. */
  close(): Promise<void>;
}

/** The store on a database of any make. */
export function storeOn(database: Database, newNumber: () => string = newApplicationId): Store {
  const acceptances = grouped<NewApplication, Acceptance>((newApplications) =>
    database.write(
      (transaction) => acceptApplications(transaction, newApplications, newNumber),
      "intake",
    ),
  );
  const context: Context = { database, accept: acceptances.submit };
  const bound = Object.entries(operations).map(([name, bind]) => [name, bind(context)] as const);
  return {
    // Each name keeps its operation, which Object.fromEntries does not tell the compiler.
    ...(Object.fromEntries(bound) as Bound<typeof operations>),
    close: async () => {
      await acceptances.idle();
      await database.close();
    },
  };
}

function read<Parameters extends unknown[], Result>(
  query: (database: Kysely<Tables>, ...parameters: Parameters) => Promise<Result>,
) {
  return ({ database }: Context) =>
    (...parameters: Parameters): Promise<Result> =>
      database.read((reading) => query(reading, ...parameters));
}

/** A query that decides by what it has read needs the lock of those that could change that meanwhile. */
function write<Parameters extends unknown[], Result>(
  query: (transaction: Transaction<Tables>, ...parameters: Parameters) => Promise<Result>,
  lock?: WriteLock,
) {
  return ({ database }: Context) =>
    (...parameters: Parameters): Promise<Result> =>
      database.write((transaction) => query(transaction, ...parameters), lock);
}

/** The clock that all servers on this database go by. */
function clock({ database }: Context) {
  return () => database.now();
}

/** Where the database knows that the last worker's process is gone, nobody waits for it. */
function holdWorkersRow({ database }: Context) {
  return (holder: string) =>
    database.write(
      (transaction) => holdWorker(transaction, holder, database.takePlace()),
      "deliveries",
    );
}

/** Reads first: hardly anything is ever raised, and a write is an fsync. */
function raiseWhereDue({ database }: Context) {
  return async (raised: Raised, terms: { holder: string; now: number }): Promise<boolean> => {
    if ((await database.read((reading) => mayRaise(reading, raised, terms.now))) === "no")
      return false;
    await database.write((transaction) => raiseJob(transaction, raised, terms), "deliveries");
    return true;
  };
}

function deleteDeliveredAndPurge({ database }: Context) {
  return async (time: number): Promise<string[]> => {
    const deleted = await database.write(
      (transaction) => deleteDeliveredBefore(transaction, time),
      "deliveries",
    );
    // Also when nothing was deleted now: the last time another process may have been reading the journal.
    await database.purgeJournal();
    return deleted;
  };
}

function forgetAndPurge({ database }: Context) {
  return async (phone: string): Promise<Forgotten> => {
    const forgotten = await database.write(
      (transaction) => forgetPhone(transaction, phone),
      "deliveries",
    );
    return { ...forgotten, journalPurged: await database.purgeJournal() };
  };
}
