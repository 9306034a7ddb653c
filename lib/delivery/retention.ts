/** Deletes applications whose retention time is over, everywhere that this process has stored them. */
import { deleteMessagesBefore } from "#lib/channels/file.ts";
import type { Clock } from "#lib/clock.ts";
import { SteadyClock } from "#lib/delivery/steady-clock.ts";
import { log } from "#lib/log.ts";
import { cleanBackups } from "#lib/storage/backups.ts";
import { KEY_KEPT_MS } from "#lib/storage/queries/deletion.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Retention {
  days: number;
  /** Where the file channel writes. */
  folder: string;
  /** Where the command line puts backups. */
  backups: string;
}

export interface Deleted {
  /** What was delivered before this is gone, ms since the epoch. */
  before: number;
  /** The applications that were in the database. */
  applicationIds: string[];
  /** Messages in the file channel's folder. */
  files: number;
  /** The backups that held something that had to go, and those that could not be used. */
  backups: { cleaned: string[]; failed: string[] };
}

const EVERY_MS = 60 * 60 * 1_000;

interface Needs {
  store: DeliveryStore;
  retention: Retention;
  now: Clock;
  monotonic?: Clock;
}

/** Runs once an hour, while the clock is proven. */
export class HourlyRetention {
  readonly #needs: Needs;
  readonly #clock: SteadyClock;
  #ranAt: number | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#clock = new SteadyClock(needs);
  }

  /** @throws StorageUnavailable */
  async deleteWhenDue(): Promise<void> {
    const { store, retention, now } = this.#needs;
    if (!(await this.#clock.isProven())) return;
    const at = now();
    if (this.#ranAt !== undefined && Math.abs(at - this.#ranAt) < EVERY_MS) return;
    this.#ranAt = at;
    await deleteExpired(store, retention, at);
  }
}

/** @throws StorageUnavailable */
export async function deleteExpired(
  store: Pick<DeliveryStore, "deleteDeliveredBefore" | "deleteKeysBefore" | "existing">,
  { days, folder, backups }: Retention,
  now: number,
): Promise<Deleted> {
  const before = now - days * DAY_MS;
  const applicationIds = await store.deleteDeliveredBefore(before);
  await store.deleteKeysBefore(now - KEY_KEPT_MS);
  const files = await deleteMessagesBefore(folder, before, store.existing);
  const inBackups = await cleanBackups(backups, { deliveredBefore: before });
  const { files: cleaned, failed } = inBackups;
  if (applicationIds.length + files + inBackups.applicationIds.length > 0) {
    log.info(
      { applicationIds, files, days, ...(cleaned.length > 0 && { backups: cleaned }) },
      "deleted what was delivered longer ago than it is kept",
    );
  }
  if (failed.length > 0) {
    log.warn({ backups: failed }, "what is too old could not be deleted from these backups");
  }
  return { before, applicationIds, files, backups: { cleaned, failed } };
}
