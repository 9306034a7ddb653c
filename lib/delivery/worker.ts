/** The delivery worker: one loop that leases what is due, sends it, and notes how that went. */
import type { LeasedDelivery, SmsCaps, Transport } from "#lib/application/delivery.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import { raiseAlarms } from "#lib/delivery/alarms.ts";
import type { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { attemptGroup, groupsOf, placeOf } from "#lib/delivery/groups.ts";
import { InFlight } from "#lib/delivery/in-flight.ts";
import { makeLeftDue } from "#lib/delivery/left-over.ts";
import { OneAtATime } from "#lib/delivery/one-at-a-time.ts";
import { nextTurnAt, type Queue, queuesNow } from "#lib/delivery/queues.ts";
import { HourlyRetention, type Retention } from "#lib/delivery/retention.ts";
import { type Pause, pauseFor, SupervisedLoop } from "#lib/delivery/supervised-loop.ts";
import { sendWeeklySummary } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/** Renewed in every turn, so that a lease runs out only under a worker that is dead or stalled. */
const LEASE_MS = 2 * 60_000;
/** The longest sleep: a clock that jumps must not let the loop oversleep, nor a lease run out. */
const LONGEST_SLEEP_MS = 30_000;
/** The shortest, so that the loop cannot spin. */
const SHORTEST_SLEEP_MS = 20;
/** How long a start waits until the deliveries of the previous process have been sent. */
const RESUME_LIMIT_MS = 3_000;
/** How long a stop waits for the sends under way before it cuts them off. */
const STOP_GRACE_MS = 8_000;

export interface WorkerNeeds {
  store: DeliveryStore;
  channels: Channels;
  caps: SmsCaps;
  retention: Retention;
  journal: AttemptJournal;
  /** Whether the owner gets a summary on Mondays. */
  weeklySummary?: boolean;
  now?: Clock;
  /** ms that only grow: with them a wall clock that was set is noticed. */
  monotonic?: Clock;
  random?: () => number;
  pause?: Pause;
}

export class DeliveryWorker {
  readonly #needs: Required<WorkerNeeds>;
  readonly #loop: SupervisedLoop;
  readonly #inFlight: InFlight;
  readonly #alarms = new OneAtATime("an alarm");
  readonly #weekly = new OneAtATime("the weekly summary");
  readonly #retention: HourlyRetention;
  /** Aborted when the grace is over: sends under way give up. */
  readonly #cutOff = new AbortController();
  #lastTurnAt: number | undefined;
  /** The deliveries that the previous process was sending, once they are due again. */
  #released: Promise<Set<number>> | undefined;
  /** Resolves when the deliveries of the previous process have been sent. */
  #resumed: Promise<void> | undefined;

  constructor(needs: WorkerNeeds) {
    const { now = needs.store.now } = needs;
    const monotonic = () => performance.now();
    const usual = { weeklySummary: false, random: Math.random, pause: pauseFor };
    this.#needs = { now, monotonic, ...usual, ...needs };
    this.#loop = new SupervisedLoop(() => this.#turn(), this.#needs.pause);
    this.#inFlight = new InFlight(needs.store, needs.journal, now);
    this.#retention = new HourlyRetention(this.#needs);
  }

  /**
   * Before the site takes requests: sends first what the previous process was sending. A mail that the server may
   * have taken is repeated. Resolves within 3 s, and never throws.
   */
  async resume(): Promise<void> {
    const ended = new AbortController();
    const limit = this.#needs.pause(RESUME_LIMIT_MS, ended.signal);
    this.#resumed = this.#sendLeft().catch((err: unknown) => {
      if (!(err instanceof StorageUnavailable))
        log.error({ err }, "what was left waits for its turn");
    });
    await Promise.race([this.#resumed, limit]);
    ended.abort();
  }

  start(): void {
    this.#loop.start();
  }

  /** Something new may be due. */
  wake(): void {
    this.#loop.wake();
  }

  status(): WorkerStatus {
    return { state: this.#loop.state, lastTurnAt: this.#lastTurnAt };
  }

  /** Finishes the sends under way, or cuts them off after a grace. Resolves within 10 s. */
  async stop(): Promise<void> {
    // From here on no new lease is taken.
    const loopEnded = this.#loop.stop();
    const grace = new AbortController();
    const graceOver = this.#needs.pause(STOP_GRACE_MS, grace.signal).then(() => {
      this.#cutOff.abort();
    });
    await this.#resumed;
    await loopEnded;
    await this.#inFlight.allEnded();
    await this.#alarms.ended();
    await this.#weekly.ended();
    grace.abort();
    await graceOver;
    await this.#inFlight.noteAll().catch((err: unknown) => {
      const applicationIds = this.#inFlight.unnoted();
      log.error({ err, applicationIds }, "attempts ended, but the store could not note how");
    });
  }

  async #sendLeft(): Promise<void> {
    const only = [...(await this.#release())];
    if (only.length === 0) return;
    for (const queue of await queuesNow(this.#needs)) await this.#sendDue(queue, only);
    await this.#inFlight.allEnded();
  }

  /** One turn of the loop: sends everything that is due and has a place. Returns for how long to sleep. */
  async #turn(): Promise<number> {
    const { now } = this.#needs;
    this.#lastTurnAt = now();
    await this.#release();
    await this.#inFlight.renewLeases(now() + LEASE_MS);
    const queues = await queuesNow(this.#needs);
    for (const queue of queues) await this.#sendDue(queue);
    const { signal } = this.#cutOff;
    this.#alarms.start(() => raiseAlarms(this.#needs, signal));
    if (this.#needs.weeklySummary) this.#weekly.start(() => sendWeeklySummary(this.#needs, signal));
    await this.#retention.deleteWhenDue();
    const next = await nextTurnAt(queues, this.#needs, this.#inFlight);
    return Math.min(Math.max(next - now(), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
  }

  async #sendDue({ of, places }: Queue, only?: readonly number[]): Promise<void> {
    const { store, channels, now } = this.#needs;
    for (const place of places) {
      let limit = this.#inFlight.freePlaces(place);
      while (limit > 0 && !this.#loop.stopping.aborted) {
        await this.#inFlight.noteAll();
        // One reading for both: a clock that jumps in between must not end our own leases.
        const at = now();
        await this.#inFlight.renewLeases(at + LEASE_MS);
        const due = await store.leaseDue({
          now: at,
          leaseMs: LEASE_MS,
          limit,
          queue: of,
          ...(only ? { only } : {}),
        });
        if (due.length === 0) break;
        for (const group of groupsOf(due, channels)) await this.#begin(group, place);
        limit = this.#inFlight.freePlaces(place);
      }
    }
  }

  /** Once, at the start: what the last process left, and what could only be written as a file then. */
  #release(): Promise<Set<number>> {
    this.#released ??= makeLeftDue(this.#needs).catch((error: unknown) => {
      this.#released = undefined;
      throw error;
    });
    return this.#released;
  }

  /** Sends beside the loop; its end wakes the loop, which fills the free place. */
  async #begin(group: readonly LeasedDelivery[], place: Transport): Promise<void> {
    const left = await this.#release();
    const resumed = group.every(({ deliveryId }) => left.has(deliveryId));
    // What it may have sent is repeated at once only the first time.
    for (const { deliveryId } of group) left.delete(deliveryId);
    const { signal } = this.#cutOff;
    this.#inFlight.begin(
      group,
      placeOf(group, place, this.#needs.channels),
      (moveTo) => attemptGroup(group, this.#needs, { signal, moveTo, resumed }),
      () => this.wake(),
    );
  }
}
