/** The delivery worker: one loop that looks at what is due. Over all servers, one worker sends at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import { CHANNELS, type Channels } from "#lib/channels/registry.ts";
import { alarmsNow } from "#lib/delivery/alarms.ts";
import type { LookNeeds } from "#lib/delivery/exchange.ts";
import { Look } from "#lib/delivery/look.ts";
import { HourlyRetention, type Retention } from "#lib/delivery/retention.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import { routesOf } from "#lib/delivery/subject.ts";
import { weekNow } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { DueOptions } from "#lib/storage/queries/jobs.ts";
import type { Store } from "#lib/storage/store.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/storage/tables.ts";

/** The longest sleep: the worker's row is renewed in every turn, and a clock that jumps must not let it oversleep. */
const LONGEST_SLEEP_MS = 5_000;
/** The shortest, so that the loop cannot spin. */
const SHORTEST_SLEEP_MS = 20;
/** While another worker sends, its row is looked at this often. */
const STANDBY_MS = 2_000;
/** What fails is looked at after a fault, and this often. */
const ALARMS_EVERY_MS = 30_000;
/** After a fault of the store, or one that nobody foresaw. */
const FAULT_PAUSE_MS = 4_000;
/** How long a stop waits for the sends under way before it cuts them off. */
const STOP_GRACE_MS = 8_000;
/** While nothing is configured. */
const FILES_AT_ONCE = 8;

/** Waits for a time, or until the signal aborts. Tests pass one that takes no real time. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const pauseFor: Pause = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined);

export interface WorkerNeeds {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  retention: Retention;
  /** Whether the owner gets a summary on Mondays. */
  weeklySummary?: boolean;
  /** The wall clock, ms since the epoch. What depends on the time takes it from here, so that tests can move it. */
  now?: () => number;
  /** ms that only grow: with them a wall clock that was set is noticed. */
  monotonic?: () => number;
  random?: () => number;
  pause?: Pause;
}

export class DeliveryWorker {
  readonly #needs: Required<WorkerNeeds> & LookNeeds;
  readonly #retention: HourlyRetention;
  /** The jobs that are looked at. */
  readonly #looks = new Map<Look, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Aborted when the grace is over: sends under way give up. */
  readonly #cutOff = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> | undefined;
  #state: WorkerStatus["state"] = "stopped";
  #lastTurnAt: number | undefined;
  #alarmsAt = 0;
  #deleting: Promise<void> | undefined;

  constructor(needs: WorkerNeeds) {
    this.#needs = {
      ...{ now: needs.store.now, monotonic: () => performance.now(), weeklySummary: false },
      ...{ random: Math.random, pause: pauseFor, ...needs },
      holder: crypto.randomUUID(),
      cutOff: this.#cutOff.signal,
      noted: (note) => this.#noted(note),
      hasPlace: (channel) => this.#free(channel) > 0,
    };
    this.#retention = new HourlyRetention(this.#needs);
  }

  start(): void {
    this.#loop ??= this.#turns();
  }

  /** Something new may be due. A wake that comes during a turn ends the sleep after it, so that none is lost. */
  wake(): void {
    this.#woken.abort("woken");
  }

  status(): WorkerStatus {
    return { state: this.#state, lastTurnAt: this.#lastTurnAt };
  }

  /** Finishes the sends under way, or cuts them off after a grace. Resolves within 10 s; another worker goes on. */
  async stop(): Promise<void> {
    const { store, pause, holder } = this.#needs;
    this.#stopping.abort("stopping");
    await this.#loop;
    const grace = new AbortController();
    const graceOver = pause(STOP_GRACE_MS, grace.signal).then(() => this.#cutOff.abort("cut off"));
    await this.idle();
    grace.abort("idle");
    await graceOver;
    await store.letGoOfWorker(holder).catch(() => undefined);
  }

  /** Until nothing is looked at. */
  async idle(): Promise<void> {
    await Promise.all([...this.#looks.values(), this.#deleting]);
  }

  async #turns(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#state = "running";
      const ms = await this.turn().catch((err: unknown) => this.#survive(err));
      await this.#needs.pause(ms, AbortSignal.any([this.#woken.signal, this.#stopping.signal]));
      this.#woken = new AbortController();
    }
    this.#state = "stopped";
  }

  /** What a turn throws does not end the loop. */
  #survive(err: unknown): number {
    // The store itself has logged why. Deliveries wait for it; nobody has to restart anything.
    if (!(err instanceof StorageUnavailable)) {
      this.#state = "restarting";
      log.error({ err }, "the delivery worker failed and starts again");
    }
    return FAULT_PAUSE_MS;
  }

  /** Begins to look at everything that is due and has a place. Returns for how long to sleep, in ms. */
  async turn(): Promise<number> {
    const { store, now, holder, channels } = this.#needs;
    this.#lastTurnAt = now();
    const hasChannel = CHANNEL_NAMES.some((name) => channels[name]);
    const hold = await store.holdWorker(holder, { now: now(), hasChannel });
    if (hold === "other") return STANDBY_MS;
    await this.#begin();
    await this.#raise();
    this.#deleteExpired();
    const next = (await store.nextDueAt(now())) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(next - now(), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
  }

  async #raise(): Promise<void> {
    const { store, channels, now, holder, weeklySummary } = this.#needs;
    if (Math.abs(now() - this.#alarmsAt) < ALARMS_EVERY_MS) return;
    this.#alarmsAt = now();
    for (const alarm of await alarmsNow(this.#needs)) {
      const { order } = routesOf({ ...alarm, applications: [] }, channels);
      if (order.length > 0) await store.raise(holder, alarm, now());
    }
    const week = weeklySummary ? await weekNow(this.#needs) : undefined;
    if (week) await store.raise(holder, week, now());
  }

  /** A job takes a place of its first channel; where that has none for long, one of the other. */
  async #begin(): Promise<void> {
    const { channels, now } = this.#needs;
    const names = CHANNEL_NAMES.filter((name) => channels[name]);
    if (names.length < 2) return this.#beginDue(names[0], { first: undefined });
    for (const first of names) {
      const isFull = names.some((name) => name !== first && this.#free(name) <= 0);
      const orRaisedBefore = isFull ? now() - FAILOVER_AFTER_MS : undefined;
      await this.#beginDue(first, { first, orRaisedBefore });
    }
  }

  async #beginDue(
    place: ChannelName | undefined,
    queue: Pick<DueOptions, "first" | "orRaisedBefore">,
  ): Promise<void> {
    const { store, now } = this.#needs;
    const free = place ? this.#free(place) : FILES_AT_ONCE - this.#looks.size;
    if (free <= 0) return;
    const underWay = new Set([...this.#looks.keys()].map(({ job }) => job.id));
    const due = await store.dueJobs({ ...queue, now: now(), limit: free + underWay.size });
    if (this.#stopping.signal.aborted) return;
    for (const job of due.filter(({ id }) => !underWay.has(id)).slice(0, free)) {
      const isFull = queue.first !== undefined && job.first !== queue.first;
      const look = new Look(job, this.#needs, place, isFull ? job.first : undefined);
      // Its end wakes the loop, which fills the free place.
      const ended = look.run().then(() => {
        if (look.exchange.faults.length > 0) this.#alarmsAt = 0;
        this.#looks.delete(look);
        this.wake();
      });
      this.#looks.set(look, ended);
    }
  }

  #free(channel: ChannelName): number {
    const looks = [...this.#looks.keys()];
    const taken = looks.filter(({ exchange }) => exchange.place === channel);
    return CHANNELS[channel].slots - taken.length;
  }

  /** What has happened must be noted: the store is asked until it takes the note, or the process ends. */
  async #noted<Result>(note: () => Promise<Result>): Promise<Result | undefined> {
    const { pause, cutOff } = this.#needs;
    for (;;) {
      try {
        return await note();
      } catch (err) {
        if (!(err instanceof StorageUnavailable) || cutOff.aborted) {
          log.error({ err }, "what became of a message could not be noted");
          return undefined;
        }
        await pause(FAULT_PAUSE_MS, cutOff);
      }
    }
  }

  /** Beside the loop: the backups may take long, and the worker's row must not grow old meanwhile. */
  #deleteExpired(): void {
    this.#deleting ??= this.#retention
      .deleteWhenDue()
      .catch((err: unknown) => {
        if (!(err instanceof StorageUnavailable)) log.error({ err }, "deleting failed");
      })
      .finally(() => {
        this.#deleting = undefined;
      });
  }
}
