/** What the worker does besides sending: alarms, the weekly summary, and the deletion by age. */
import { MINUTE } from "#lib/application/durations.ts";
import { isAlarmDue, listAlarms } from "#lib/delivery/alarms.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { targetsFor } from "#lib/delivery/notice.ts";
import { createHourlyDeletion } from "#lib/delivery/retention.ts";
import { elapsedMs } from "#lib/delivery/retry.ts";
import { weeklyNotice } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { addNotice, addWeekly } from "#lib/storage/queries/notices.ts";

/** Pause between two checks for alarms and for the weekly summary. A fault ends the pause. */
const ALARM_CHECK_PAUSE_MS = MINUTE / 2;

export function createChores(deps: DeliveryDeps) {
  const { store, channels, now, holder, sendsWeeklySummary } = deps;
  const deleteWhenDue = createHourlyDeletion(deps);
  let checkedAt = 0;
  let deleting: Promise<void> | undefined;

  async function enqueueAlarms(): Promise<void> {
    for (const alarm of await listAlarms(deps)) {
      const { kind, topic, preferredChannel, causeAt } = alarm;
      if (targetsFor(alarm, channels).length === 0) continue;
      if (!isAlarmDue(await store.findEarlierNotice(alarm), causeAt, now())) continue;
      const notice = { kind, topic, preferredChannel, enqueuedAt: now() };
      await store.asHolder(holder, (trx) => addNotice(trx, notice));
    }
  }

  async function enqueueSummary(): Promise<void> {
    const weekly = sendsWeeklySummary && weeklyNotice(now());
    if (!weekly || (await store.findEarlierNotice(weekly.notice))) return;
    await store.asHolder(holder, (trx) => addWeekly(trx, weekly.notice, weekly.until));
  }

  return {
    /** Reads before it writes, because a write costs an fsync, and there is seldom anything to enqueue. */
    async enqueueDue(): Promise<void> {
      if (elapsedMs(checkedAt, now()) < ALARM_CHECK_PAUSE_MS) return;
      checkedAt = now();
      await enqueueAlarms();
      await enqueueSummary();
    },
    /** A message has failed, so the next pass checks for alarms. */
    expectAlarms(): void {
      checkedAt = 0;
    },
    /** Runs beside the loop, because a vacuum of PostgreSQL may take a minute. */
    startDeletion(): void {
      deleting ??= deleteWhenDue()
        .catch((err: unknown) => {
          if (!(err instanceof StorageUnavailable))
            log.error({ err }, "deleting expired applications failed, trying again in an hour");
        })
        .finally(() => {
          deleting = undefined;
        });
    },
    waitUntilIdle: async () => deleting,
  };
}
