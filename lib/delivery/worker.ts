/** The delivery worker: a loop that runs the jobs that are due. One worker sends at a time, over all servers. */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { currentAlarms, isAlarmDue } from "#lib/delivery/alarms.ts";
import type { DeliveryDeps, Sleep, WorkerDeps } from "#lib/delivery/deps.ts";
import { JobRun } from "#lib/delivery/job-run.ts";
import { channelsForJob } from "#lib/delivery/owner-message.ts";
import { createHourlyDeletion } from "#lib/delivery/retention.ts";
import { elapsed, FAILOVER_AFTER, latestPlannedTime } from "#lib/delivery/retry.ts";
import { watchWallClock } from "#lib/delivery/wall-clock.ts";
import { weeklyJobs } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DueJobsOptions, Job } from "#lib/storage/queries/jobs.ts";

/** The worker renews its lease after each sleep, and a clock jump delays a job by one sleep at most. */
const LONGEST_SLEEP = 5 * SECOND;
const SHORTEST_SLEEP = 20;
/** A worker that has not renewed its lease for this long counts as ended. The time allows for a slow disk. */
export const LEASE_DURATION = 4 * LONGEST_SLEEP;
/** Pause between two requests for a lease that another worker has. */
const STANDBY_PAUSE = 2 * SECOND;
/** Pause between two checks for alarms. A fault ends the pause. */
const ALARM_PAUSE = MINUTE / 2;
const ERROR_PAUSE = 4 * SECOND;
const STOP_GRACE = 8 * SECOND;
/** Limit of simultaneous runs while no channel is configured. */
const FILES_AT_ONCE = 8;

const pauseFor: Sleep = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined);

export class DeliveryWorker {
  /** Begin of the last pass, ms since the epoch. Undefined after an unexpected error, and while no loop runs. */
  lastPassAt: number | undefined;
  readonly #deps: DeliveryDeps;
  readonly #deleteWhenDue: () => Promise<void>;
  readonly #runs = new Map<JobRun, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> | undefined;
  #alarmsCheckedAt = 0;
  #deleting: Promise<void> | undefined;

  constructor(deps: WorkerDeps) {
    const clocks = { now: deps.store.now, monotonic: () => performance.now(), ...deps };
    const { steadySince } = watchWallClock(clocks);
    this.#deps = {
      ...{ sendsWeeklySummary: false, random: Math.random, pause: pauseFor, ...deps, ...clocks },
      steadySince,
      holder: crypto.randomUUID(),
      cutOff: this.#cutOff.signal,
      recordUntilStored: (record) => this.#recordUntilStored(record),
      hasFreeSlot: (channel) => this.#freeSlots(channel) > 0,
    };
    this.#deleteWhenDue = createHourlyDeletion(this.#deps);
  }

  start(): void {
    this.#loop ??= this.#repeatPasses();
  }

  /** Called when a job may be due. A wake during a pass also cancels the sleep after that pass. */
  wake(): void {
    this.#woken.abort("woken");
  }

  /** Finishes the running attempts, or aborts the attempts that outlast STOP_GRACE. */
  async stop(): Promise<void> {
    const { store, pause, holder } = this.#deps;
    this.#stopping.abort("stopping");
    await this.#loop;
    const grace = new AbortController();
    const graceOver = pause(STOP_GRACE, grace.signal).then(() => this.#cutOff.abort("cut off"));
    await this.idle();
    grace.abort("idle");
    await graceOver;
    await store.releaseLease(holder).catch(() => undefined);
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#runs.values(), this.#deleting]);
  }

  async #repeatPasses(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const ms = await this.runPass().catch((err: unknown) => {
        // The store has already logged a StorageUnavailable.
        if (err instanceof StorageUnavailable) return ERROR_PAUSE;
        this.lastPassAt = undefined;
        log.error({ err }, "the delivery worker failed, starting again");
        return ERROR_PAUSE;
      });
      await this.#deps.pause(ms, AbortSignal.any([this.#woken.signal, this.#stopping.signal]));
      this.#woken = new AbortController();
    }
    this.lastPassAt = undefined;
  }

  /** Starts every job that is due and has a slot. Returns the time to sleep, in ms. */
  async runPass(): Promise<number> {
    const { store, now, holder, channels } = this.#deps;
    this.lastPassAt = now();
    const hasChannel = CHANNEL_NAMES.some((name) => channels[name]);
    const request = { holder, now: now(), hasChannel, leaseMs: LEASE_DURATION };
    if ((await store.acquireLease(request)) === "held-by-another") return STANDBY_PAUSE;
    await this.#startDueJobs();
    await this.#enqueueAlarmsAndSummary();
    this.#deleteExpired();
    const next = (await store.nextDueAt(now())) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(next - now(), SHORTEST_SLEEP), LONGEST_SLEEP);
  }

  /** Reads before it writes, because a write is an fsync, and there is seldom anything to enqueue. */
  async #enqueueAlarmsAndSummary(): Promise<void> {
    const { store, channels, now, holder, sendsWeeklySummary } = this.#deps;
    if (elapsed(this.#alarmsCheckedAt, now()) < ALARM_PAUSE) return;
    this.#alarmsCheckedAt = now();
    for (const { causeAt, ...alarm } of await currentAlarms(this.#deps)) {
      if (channelsForJob(alarm, channels).channels.length === 0) continue;
      const earlier = await store.findEarlierJob(alarm);
      if (isAlarmDue(earlier, causeAt, now())) await store.enqueueOrRestart(holder, alarm, now());
    }
    const { jobs, until } = weeklyJobs(channels, now());
    const [summary] = jobs;
    if (!sendsWeeklySummary || !summary || (await store.findEarlierJob(summary))) return;
    await store.enqueueWeeklyJobs(holder, jobs, { until, now: now() });
  }

  /** A job takes a slot of its preferred channel. If the channel is full, a job of FAILOVER_AFTER takes another. */
  async #startDueJobs(): Promise<void> {
    const { channels, now, hasFreeSlot } = this.#deps;
    const names = CHANNEL_NAMES.filter((name) => channels[name]);
    if (names.length < 2) return this.#startJobsOn(names[0], {});
    for (const preferredChannel of CHANNEL_NAMES) {
      const slotChannel = channels[preferredChannel] ? preferredChannel : names[0];
      const isOtherFull = names.some((name) => name !== preferredChannel && !hasFreeSlot(name));
      const orEnqueuedBefore = isOtherFull ? now() - FAILOVER_AFTER : undefined;
      await this.#startJobsOn(slotChannel, { preferredChannel, orEnqueuedBefore });
    }
  }

  async #startJobsOn(
    slotChannel: ChannelName | undefined,
    queue: Pick<DueJobsOptions, "preferredChannel" | "orEnqueuedBefore">,
  ): Promise<void> {
    const { store, now } = this.#deps;
    const free = this.#freeSlots(slotChannel);
    if (free <= 0) return;
    const at = now();
    const exceptIds = [...this.#runs.keys()].map(({ job }) => job.id);
    const request = { ...queue, now: at, latest: latestPlannedTime(at), exceptIds, limit: free };
    const due = await store.dueJobs(request);
    if (this.#stopping.signal.aborted) return;
    for (const job of due) {
      if (this.#isApplicationUnderWay(job)) continue;
      if (this.#freeSlots(slotChannel) <= 0) return;
      const run = new JobRun(job, this.#deps, slotChannel);
      // The end of a run wakes the loop, which fills the free slot.
      const ended = run.run().then(() => {
        if (run.faults.length > 0) this.#alarmsCheckedAt = 0;
        this.#runs.delete(run);
        this.wake();
      });
      this.#runs.set(run, ended);
    }
  }

  /** Jobs about one application run one after another, because each job reads the other job's attempts. */
  #isApplicationUnderWay({ applicationId = "" }: Job): boolean {
    return [...this.#runs.keys()].some(({ job }) => job.applicationId === applicationId);
  }

  #freeSlots(channel: ChannelName | undefined): number {
    const taken = [...this.#runs.keys()].filter(({ slotChannel }) => slotChannel === channel);
    return (channel ? CHANNEL_DEFINITIONS[channel].slots : FILES_AT_ONCE) - taken.length;
  }

  /** Repeats a write that failed, until the write succeeds or the process ends. */
  async #recordUntilStored<Result>(record: () => Promise<Result>): Promise<Result | undefined> {
    const { pause, cutOff } = this.#deps;
    for (;;) {
      try {
        return await record();
      } catch (err) {
        if (cutOff.aborted) {
          log.error({ err }, "could not record a run or an outcome before the process ends");
          return undefined;
        }
        if (!(err instanceof StorageUnavailable))
          log.error({ err }, "could not record a run or an outcome, retrying");
        await pause(ERROR_PAUSE, cutOff);
      }
    }
  }

  /** Runs beside the loop: deleting from backups may take longer than the lease. */
  #deleteExpired(): void {
    this.#deleting ??= this.#deleteWhenDue()
      .catch((err: unknown) => {
        if (!(err instanceof StorageUnavailable))
          log.error({ err }, "deleting expired applications failed, trying again in an hour");
      })
      .finally(() => {
        this.#deleting = undefined;
      });
  }
}
