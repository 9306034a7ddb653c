/**
 * The store, as each of its four consumers knows it: an operation is a query in queries/ and a line here.
 * All times are ms since the epoch. While the database is out, every operation rejects with
 * StorageUnavailable; the store opens the database anew by itself at a later call.
 */
import type { Kysely, Transaction } from "kysely";
import type { ClaimedAlarm } from "#lib/application/delivery.ts";
import type { Acceptance, NewApplication } from "#lib/application/stored-application.ts";
import type { LeasedSummary, SummaryWeek } from "#lib/application/weekly-summary.ts";
import type { Database, WriteLock } from "#lib/storage/database.ts";
import { grouped } from "#lib/storage/group-commit.ts";
import { acceptApplications } from "#lib/storage/queries/accept.ts";
import {
  type AlarmClaim,
  chargeAlarm,
  claimAlarm,
  givenUp,
  isAlarmDue,
  withdrawAlarm,
} from "#lib/storage/queries/alarms.ts";
import { failingChannels, failingRecipients } from "#lib/storage/queries/channel-faults.ts";
import {
  deleteKeysBefore,
  type Forgotten,
  findByPhone,
  forgetPhone,
} from "#lib/storage/queries/deletion.ts";
import {
  countDeliveries,
  deleteDeliveredBefore,
  markDelivery,
  releaseFiled,
} from "#lib/storage/queries/deliveries.ts";
import { leaseDue, nextDueAt, releaseLeases, renewLeases } from "#lib/storage/queries/leases.ts";
import { recordIntent } from "#lib/storage/queries/messages.ts";
import { newApplicationId } from "#lib/storage/queries/new-application-id.ts";
import { findNote, probeWrite, writeNote } from "#lib/storage/queries/notes.ts";
import {
  existingApplications,
  findApplication,
  listApplications,
} from "#lib/storage/queries/owner-queries.ts";
import { resend } from "#lib/storage/queries/resend.ts";
import {
  claimSummary,
  isSummaryDue,
  lastSummaries,
  noteSummary,
  recordSummaryIntent,
} from "#lib/storage/queries/weekly-summaries.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** For requests. */
const intake = {
  accept:
    ({ accept }: Context) =>
    (application: NewApplication) =>
      accept(application),
  now: clock,
};

/** For the delivery worker. */
const delivery = {
  now: clock,
  leaseDue: write(leaseDue, "deliveries"),
  renewLeases: write(renewLeases),
  recordIntent: write(recordIntent, "deliveries"),
  mark: write(markDelivery),
  nextDueAt: read(nextDueAt),
  releaseLeases: releaseLeasesUnlessShared,
  releaseFiled: write(releaseFiled, "deliveries"),
  failingChannels: read(failingChannels),
  findNote: read(findNote),
  writeNote: write(writeNote),
  failingRecipients: read(failingRecipients),
  givenUp: read(givenUp),
  claimAlarm: claimAlarmOnceDue,
  chargeAlarm: write(chargeAlarm, "deliveries"),
  withdrawAlarm: write(withdrawAlarm),
  deleteDeliveredBefore: deleteDeliveredAndPurge,
  deleteKeysBefore: write(deleteKeysBefore),
  existing: read(existingApplications),
  list: read(listApplications),
  claimSummary: claimSummaryOnceDue,
  recordSummaryIntent: write(recordSummaryIntent, "deliveries"),
  noteSummary: write(noteSummary),
};

/** For the owner's command line. */
const owner = {
  now: clock,
  list: read(listApplications),
  find: read(findApplication),
  counts: read(countDeliveries),
  failingChannels: read(failingChannels),
  failingRecipients: read(failingRecipients),
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
  counts: read(countDeliveries),
  failingChannels: read(failingChannels),
  lastSummaries: read(lastSummaries),
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

/** Where several servers share the database, a living one may hold them: they run out. */
function releaseLeasesUnlessShared({ database }: Context) {
  return (now: number): Promise<number[]> =>
    database.write(
      async (transaction) => (database.shared ? [] : releaseLeases(transaction, now)),
      "deliveries",
    );
}

/** The clock that all servers on this database go by. */
function clock({ database }: Context) {
  return () => database.now();
}

/** Reads first: an alarm is hardly ever due, and a write is an fsync. */
function claimAlarmOnceDue({ database }: Context) {
  return async (claim: AlarmClaim): Promise<ClaimedAlarm | undefined> =>
    (await database.read((reading) => isAlarmDue(reading, claim)))
      ? database.write((transaction) => claimAlarm(transaction, claim), "deliveries")
      : undefined;
}

/** Reads first, as above. */
function claimSummaryOnceDue({ database }: Context) {
  return async (
    week: SummaryWeek,
    terms: { now: number; leaseMs: number },
  ): Promise<LeasedSummary | undefined> =>
    (await database.read((reading) => isSummaryDue(reading, week, terms.now)))
      ? database.write((transaction) => claimSummary(transaction, week, terms), "deliveries")
      : undefined;
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
