import type { Config } from "#lib/config.ts";
import type { Database } from "#lib/storage/database.ts";
import { grouped } from "#lib/storage/group-commit.ts";
import { openPostgres } from "#lib/storage/postgres/open.ts";
import { acceptApplications } from "#lib/storage/queries/accept.ts";
import {
  claimAlarm,
  confirmAlarm,
  failingChannels,
  isAlarmDue,
} from "#lib/storage/queries/channel-faults.ts";
import { tallyDay } from "#lib/storage/queries/daily-counts.ts";
import { forgetPhone } from "#lib/storage/queries/deletion.ts";
import {
  countDeliveries,
  countNeedsOwner,
  deleteDeliveredBefore,
  markDelivery,
  releaseFiled,
} from "#lib/storage/queries/deliveries.ts";
import { findSealed, keepSealed } from "#lib/storage/queries/form-results.ts";
import { leaseDue, nextDueAt, releaseLeases } from "#lib/storage/queries/leases.ts";
import { beginDispatches } from "#lib/storage/queries/messages.ts";
import { newApplicationId } from "#lib/storage/queries/new-application-id.ts";
import { findApplication, listApplications } from "#lib/storage/queries/owner-queries.ts";
import { resend } from "#lib/storage/queries/resend.ts";
import { checkWriting } from "#lib/storage/queries/write-probe.ts";
import { reconnecting } from "#lib/storage/reconnecting.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import type { Acceptance, NewApplication, Store } from "#lib/storage/store.ts";

/**
 * A store on the configured database. It opens when it is first used, so that a database that is out
 * stops neither the process nor its pages.
 */
export function openStore(
  {
    databaseFile,
    databaseUrl,
  }: Pick<Config, "databaseFile"> & Partial<Pick<Config, "databaseUrl">>,
  newNumber?: () => string,
): Store {
  return storeOn(
    reconnecting(() => (databaseUrl ? openPostgres(databaseUrl) : openSqlite(databaseFile))),
    newNumber,
  );
}

/** The store's operations on a database of any make. */
export function storeOn(database: Database, newNumber: () => string = newApplicationId): Store {
  const acceptances = grouped<NewApplication, Acceptance>((newcomers) =>
    database.write(
      (transaction) => acceptApplications(transaction, newcomers, newNumber),
      "intake",
    ),
  );

  return {
    accept: (application) => acceptances.submit(application),
    leaseDue: (options) =>
      database.write((transaction) => leaseDue(transaction, options), "deliveries"),
    begin: (delivery, beginning) =>
      database.write(
        (transaction) => beginDispatches(transaction, delivery, beginning),
        "deliveries",
      ),
    mark: (delivery, result, now) =>
      database.write((transaction) => markDelivery(transaction, delivery, result, now)),
    nextDueAt: () => database.read(nextDueAt),
    releaseLeases: async (now) =>
      (await database.whenAlone(() =>
        database.write((transaction) => releaseLeases(transaction, now), "deliveries"),
      )) ?? [],
    releaseFiled: (now) =>
      database.write((transaction) => releaseFiled(transaction, now), "deliveries"),
    failingChannels: () => database.read(failingChannels),
    countNeedsOwner: () => database.read(countNeedsOwner),
    // Read first: nearly always it is not due, and a write is an fsync.
    claimAlarm: async (subject, now) =>
      (await database.read((reading) => isAlarmDue(reading, subject, now))) &&
      database.write((transaction) => claimAlarm(transaction, subject, now), "deliveries"),
    confirmAlarm: (subject, now) =>
      database.write((transaction) => confirmAlarm(transaction, subject, now)),
    counts: () => database.read(countDeliveries),
    tally: (day) => database.read((reading) => tallyDay(reading, day)),
    list: (options) => database.read((reading) => listApplications(reading, options)),
    find: (applicationId) => database.read((reading) => findApplication(reading, applicationId)),
    resend: (applicationId, options) =>
      database.write((transaction) => resend(transaction, applicationId, options), "deliveries"),
    check: (now) => database.write((transaction) => checkWriting(transaction, now)),
    deleteDeliveredBefore: async (time) => {
      const deleted = await database.write(
        (transaction) => deleteDeliveredBefore(transaction, time),
        "deliveries",
      );
      // Also when nothing was deleted now: the last time another process may have been reading the journal.
      await database.purgeJournal();
      return deleted;
    },
    forgetPhone: async (phone) => {
      const forgotten = await database.write(
        (transaction) => forgetPhone(transaction, phone),
        "deliveries",
      );
      return { ...forgotten, journalPurged: await database.purgeJournal() };
    },
    keepSealed: (result, now) =>
      database.write((transaction) => keepSealed(transaction, result, now)),
    findSealed: (tokenHash, now) => database.read((reading) => findSealed(reading, tokenHash, now)),
    close: async () => {
      await acceptances.idle();
      await database.close();
    },
  };
}
