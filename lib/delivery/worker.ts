/** The delivery worker: a loop that sends what is due. One worker sends at a time, across all servers. */
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#lib/application/durations.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import { attemptMessage } from "#lib/delivery/attempt.ts";
import { createChores } from "#lib/delivery/chores.ts";
import type { DeliveryDeps, DeliveryOptions, Sleep } from "#lib/delivery/deps.ts";
import { createQueue } from "#lib/delivery/queue.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Message } from "#lib/storage/tables.ts";

/** A clock jump, or an application that another process stored, is noticed after one sleep at most. */
const MAX_SLEEP_MS = 5 * SECOND;
const MIN_SLEEP_MS = 20;
/** Pause between two requests for a lease that another worker has. */
const STANDBY_PAUSE_MS = 2 * SECOND;
const ERROR_PAUSE_MS = 4 * SECOND;
const STOP_GRACE_MS = 8 * SECOND;

const sleepUnlessAborted: Sleep = (ms, signal) =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

export class DeliveryWorker {
  /** Time of the last pass, ms since the epoch. Undefined after an unexpected error, and while no loop runs. */
  lastPassAt: number | undefined;
  readonly #deps: DeliveryDeps;
  readonly #parts: {
    queue: ReturnType<typeof createQueue>;
    chores: ReturnType<typeof createChores>;
  };
  readonly #running = new Map<number, { channel: ChannelName; ended: Promise<void> }>();
  /** `cutOff` aborts when the grace period of a stop is over. */
  readonly #signals = {
    stopping: new AbortController(),
    cutOff: new AbortController(),
    woken: new AbortController(),
  };
  #loop: Promise<void> | undefined;

  constructor(deps: DeliveryOptions) {
    this.#deps = {
      sendsWeeklySummary: false,
      random: Math.random,
      pause: sleepUnlessAborted,
      now: deps.store.now,
      monotonicNow: () => performance.now(),
      holder: crypto.randomUUID(),
      ...deps,
    };
    this.#parts = { queue: createQueue(this.#deps), chores: createChores(this.#deps) };
  }

  get holder(): string {
    return this.#deps.holder;
  }

  start(): void {
    this.#loop ??= this.#repeatPasses();
  }

  /** Called when a message may be due. A wake during a pass also cancels the sleep after that pass. */
  wake(): void {
    this.#signals.woken.abort("woken");
  }

  /** Finishes the running attempts, or aborts the attempts that outlast STOP_GRACE_MS. */
  async stop(): Promise<void> {
    const { store, pause, holder } = this.#deps;
    const { stopping, cutOff } = this.#signals;
    stopping.abort("stopping");
    await this.#loop;
    const grace = new AbortController();
    const graceOver = pause(STOP_GRACE_MS, grace.signal).then(() => cutOff.abort("cut off"));
    await this.waitUntilIdle();
    grace.abort("idle");
    await graceOver;
    await store.releaseLease(holder).catch(() => undefined);
  }

  async waitUntilIdle(): Promise<void> {
    const attempts = [...this.#running.values()].map(({ ended }) => ended);
    await Promise.all([...attempts, this.#parts.chores.waitUntilIdle()]);
  }

  async #repeatPasses(): Promise<void> {
    const { stopping } = this.#signals;
    while (!stopping.signal.aborted) {
      const ms = await this.runPass().catch((err: unknown) => {
        // The store has already logged a StorageUnavailable.
        if (err instanceof StorageUnavailable) return ERROR_PAUSE_MS;
        this.lastPassAt = undefined;
        log.error({ err }, "the delivery worker failed, starting again");
        return ERROR_PAUSE_MS;
      });
      const { woken } = this.#signals;
      await this.#deps.pause(ms, AbortSignal.any([woken.signal, stopping.signal]));
      this.#signals.woken = new AbortController();
    }
    this.lastPassAt = undefined;
  }

  /** Starts due messages in free slots, and returns the ms to sleep. An idle pass writes at most a lease and a note. */
  async runPass(): Promise<number> {
    const { store, now } = this.#deps;
    const { queue, chores } = this.#parts;
    this.lastPassAt = now();
    // Without the lease too, because each host has its own files and backups.
    chores.startDeletion();
    if (!(await queue.acquireLease())) return STANDBY_PAUSE_MS;
    await chores.enqueueDue();
    const hasMore = await queue.planNew();
    await this.#startDue();
    const next = hasMore
      ? now()
      : ((await store.readNextDueTime(now())) ?? Number.POSITIVE_INFINITY);
    return Math.min(Math.max(next - now(), MIN_SLEEP_MS), MAX_SLEEP_MS);
  }

  /** Each channel has slots of its own, so that a slow mail delays no text message. */
  async #startDue(): Promise<void> {
    const { channels } = this.#deps;
    for (const name of CHANNEL_NAMES) {
      const taken = [...this.#running.values()].filter(({ channel }) => channel === name);
      const free = (channels[name]?.slots ?? 0) - taken.length;
      if (free <= 0) continue;
      const due = await this.#parts.queue.listDue(name, [...this.#running.keys()], free);
      if (this.#signals.stopping.signal.aborted) return;
      for (const message of due) this.#startAttempt(message);
    }
  }

  /** The end of an attempt wakes the loop, which fills the free slot. */
  #startAttempt(message: Message): void {
    const { queue, chores } = this.#parts;
    const { signal } = this.#signals.cutOff;
    const attempt = { ...this.#deps, queue, cutOff: signal };
    const ended = attemptMessage(message, attempt).then((hasFailed) => {
      if (hasFailed) chores.expectAlarms();
      this.#running.delete(message.id);
      this.wake();
    });
    this.#running.set(message.id, { channel: message.channel, ended });
  }
}
