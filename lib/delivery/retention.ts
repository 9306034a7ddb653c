/**
 * Deletes applications after their retention. A clock that somebody sets could make a new application look a year old,
 * so deletion waits for a day of steady time. A jump of the clock, or a gap between two hourly notes, restarts the day.
 */
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { deleteMessagesBefore } from "#lib/channels/file.ts";
import { fileChannelFolder } from "#lib/channels/registry.ts";
import type { Config } from "#lib/config.ts";
import { type Clocks, createSteadyClock, type SteadyClock } from "#lib/delivery/steady-clock.ts";
import { log } from "#lib/log.ts";
import { backupsFolder, deleteFromBackups } from "#lib/storage/backups.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { KEY_LIFETIME } from "#lib/storage/queries/deletion.ts";
import type { Store } from "#lib/storage/store.ts";

/** A longer time between two notes is a gap. */
const LONGEST_GAP = 2 * HOUR;

export type Retention = Pick<Config, "retentionDays" | "dataDir">;

interface RetentionDeps extends Clocks {
  store: Pick<
    Store,
    "findNote" | "writeNote" | "deleteDeliveredBefore" | "deleteKeysBefore" | "findIds"
  >;
  retention: Retention;
}

export class HourlyRetention {
  readonly #deps: RetentionDeps;
  #clock: SteadyClock | undefined;
  #steadySince: number | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;
  #ranAt = Number.NEGATIVE_INFINITY;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** @throws StorageUnavailable */
  async deleteWhenDue(): Promise<void> {
    const { store, retention, now } = this.#deps;
    const at = now();
    const steadySince = await this.#watch(at);
    if (Math.abs(at - this.#notedAt) >= HOUR) {
      await store.writeNote("clock", { at, value: `${steadySince}` });
      this.#notedAt = at;
    }
    if (at - steadySince < DAY || Math.abs(at - this.#ranAt) < HOUR) return;
    this.#ranAt = at;
    try {
      await deleteExpired(store, retention, at);
    } catch (error) {
      // Repeats the deletion at the next pass instead of in an hour.
      if (error instanceof StorageUnavailable) this.#ranAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** The time since which the clock has been steady, in this process and the ones before it. */
  async #watch(at: number): Promise<number> {
    const { store } = this.#deps;
    // The constructor is too early: `now` returns the database's time only after a first transaction.
    this.#clock ??= createSteadyClock(this.#deps, HOUR);
    const jump = this.#clock.readJump();
    if (jump !== 0) {
      const minutes = Math.round(jump / MINUTE);
      log.warn({ minutes }, "the clock jumped: nothing is deleted for a day");
      this.#steadySince = at;
      this.#notedAt = Number.NEGATIVE_INFINITY;
      await store.writeNote("clock-jump", { at, value: `${jump}` });
    }
    if (this.#steadySince === undefined) {
      const note = await store.findNote("clock");
      const isContinued = note && Math.abs(note.at - at) <= LONGEST_GAP;
      this.#steadySince = isContinued ? Number(note.value) : at;
    }
    return this.#steadySince;
  }
}

async function deleteExpired(
  store: RetentionDeps["store"],
  { retentionDays: days, dataDir }: Retention,
  now: number,
): Promise<void> {
  const before = now - days * DAY;
  const applicationIds = await store.deleteDeliveredBefore(before);
  await store.deleteKeysBefore(now - KEY_LIFETIME);
  const files = await deleteMessagesBefore(fileChannelFolder({ dataDir }), before, (ids) =>
    store.findIds("applicationId", ids),
  );
  const cleaning = { deliveredBefore: before };
  const { files: cleaned, failed } = await deleteFromBackups(backupsFolder({ dataDir }), cleaning);
  if (applicationIds.length + files + cleaned.length > 0) {
    log.info(
      { applicationIds, files, days, ...(cleaned.length > 0 && { backups: cleaned }) },
      "deleted delivered applications whose retention is over",
    );
  }
  if (failed.length > 0) {
    log.warn({ backups: failed }, "deleting expired applications from these backups failed");
  }
}
