/** The delivery worker: one loop that leases what is due, sends it, and notes how that went. */

import type { AttemptResult, LeasedDelivery, SmsCaps } from "#lib/application/delivery.ts";
import type { Channels } from "#lib/channels/open.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { raiseAlarms } from "#lib/delivery/alarms.ts";
import { attempt, SEND_LIMIT_MS } from "#lib/delivery/attempt.ts";
import type { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { attemptDigest } from "#lib/delivery/digest.ts";
import { deleteExpired, type Retention } from "#lib/delivery/retention.ts";
import { type Pause, pauseFor, Wakeable } from "#lib/delivery/wakeable.ts";
import { log } from "#lib/log.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";
import { TrustedClock } from "#lib/trusted-clock.ts";

/** Longer than any send, so that a lease runs out only under a worker that is dead or stalled. */
const LEASE_MS = 2 * SEND_LIMIT_MS;
/** Sent side by side, so that a provider that hangs does not hold up the other one. */
const SENDS_AT_ONCE = 8;
/** The longest sleep: a clock that jumps must not let the loop oversleep. */
const LONGEST_SLEEP_MS = 30_000;
/** The shortest, so that the loop cannot spin. */
const SHORTEST_SLEEP_MS = 20;
const STORAGE_PAUSE_MS = 5_000;
const RESTART_PAUSE_MS = 2_000;
/** How long a start waits for what the last process left. */
const RESUME_LIMIT_MS = 3_000;
const RETENTION_EVERY_MS = 60 * 60 * 1_000;
/** How long a stop waits for the sends under way before it cuts them off. */
const STOP_GRACE_MS = 8_000;

export interface WorkerNeeds {
  store: DeliveryStore;
  channels: Channels;
  caps: SmsCaps;
  retention: Retention;
  journal: AttemptJournal;
  now?: Clock;
  /** Whether what is old by the clock is old. */
  clock?: TrustedClock;
  random?: () => number;
  pause?: Pause;
}

interface Unnoted {
  lease: LeasedDelivery;
  result: AttemptResult;
  /** While the store is being told. */
  noting?: Promise<void> | undefined;
}

export class DeliveryWorker {
  readonly #needs: Required<WorkerNeeds>;
  readonly #sleeper: Wakeable;
  /** Aborted by stop(): no new lease. */
  readonly #stopping = new AbortController();
  /** Aborted when the grace is over: sends under way give up. */
  readonly #cutOff = new AbortController();
  /** Sends under way by delivery, each with the newest lease of it. */
  readonly #underWay = new Map<number, { lease: LeasedDelivery; ended: Promise<void> }>();
  /** Attempts whose result is not in the store yet; noted before anything else is leased. */
  readonly #unnoted = new Map<number, Unnoted>();
  #state: WorkerStatus["state"] = "stopped";
  #lastTurnAt: number | undefined;
  /** The deliveries that the last process left, once they are due again. */
  #released: Promise<number[]> | undefined;
  #retentionDueAt = 0;
  /** Alarms on their way, beside the loop. */
  #alarms: Promise<void> | undefined;
  /** Ends when what the last process left is out. */
  #resumed: Promise<void> | undefined;
  #loop: Promise<void> | undefined;

  constructor(needs: WorkerNeeds) {
    const { now = systemClock } = needs;
    const clock = new TrustedClock({ now });
    this.#needs = { now, clock, random: Math.random, pause: pauseFor, ...needs };
    this.#sleeper = new Wakeable(this.#needs.pause);
  }

  /**
   * Before the site takes requests: what the last process had in hand goes out first. A mail among it is
   * repeated, as it may have been taken; if whatever ended that process ended this one too, in the middle of
   * the repeat, it would come a third time, and so on. Resolves within 3 s, and never throws.
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
    this.#loop ??= this.#supervise();
  }

  /** Something new may be due. */
  wake(): void {
    this.#sleeper.wake();
  }

  status(): WorkerStatus {
    return { state: this.#state, lastTurnAt: this.#lastTurnAt };
  }

  /** Finishes the sends under way, or cuts them off after a grace. Resolves within 10 s. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#sleeper.wake();
    const grace = new AbortController();
    const graceOver = this.#needs.pause(STOP_GRACE_MS, grace.signal).then(() => {
      this.#cutOff.abort();
    });
    await this.#resumed;
    await this.#loop;
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
    await this.#alarms;
    grace.abort();
    await graceOver;
    await this.#noteAll().catch((err: unknown) => {
      const applicationIds = [...this.#unnoted.values()].map((each) => each.lease.applicationId);
      log.error({ err, applicationIds }, "attempts ended, but the store could not note how");
    });
    this.#state = "stopped";
  }

  /** Keeps the loop alive: what it throws is logged, and it starts anew after a pause. */
  async #supervise(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        this.#state = "running";
        await this.#run();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #recover(err: unknown): Promise<void> {
    const { pause } = this.#needs;
    if (err instanceof StorageUnavailable) {
      // The store itself has logged why. Deliveries wait for it; nobody has to restart anything.
      await pause(STORAGE_PAUSE_MS, this.#stopping.signal);
    } else {
      this.#state = "restarting";
      log.error({ err }, "the delivery worker failed and starts again");
      await pause(RESTART_PAUSE_MS, this.#stopping.signal);
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#turn();
      await this.#sleeper.sleep(await this.#sleepMs(), this.#stopping.signal);
    }
  }

  async #sendLeft(): Promise<void> {
    const { store, channels, now } = this.#needs;
    const only = await this.#release();
    if (only.length === 0 || this.#stopping.signal.aborted) return;
    const left = { now: now(), leaseMs: LEASE_MS, limit: only.length, only };
    for (const group of together(await store.leaseDue(left), channels)) this.#begin(group);
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
  }

  /** One round: everything that is due now. */
  async #turn(): Promise<void> {
    const { store, now } = this.#needs;
    this.#lastTurnAt = now();
    await this.#release();
    while (!this.#stopping.signal.aborted && this.#freeSends() > 0) {
      await this.#noteAll();
      const limit = this.#freeSends();
      const due = await store.leaseDue({ now: now(), leaseMs: LEASE_MS, limit });
      if (due.length === 0) break;
      for (const group of together(due, this.#needs.channels)) this.#begin(group);
    }
    this.#raiseAlarms();
    await this.#expire();
  }

  /** Once, at the start: what the last process left, and what could only be written as a file then. */
  #release(): Promise<number[]> {
    this.#released ??= this.#makeDue().catch((error: unknown) => {
      this.#released = undefined;
      throw error;
    });
    return this.#released;
  }

  async #makeDue(): Promise<number[]> {
    const { store, channels, journal, now } = this.#needs;
    await journal.handOver(store, now());
    const released = await store.releaseLeases(now());
    if (released.length > 0) {
      log.info(
        { released: released.length },
        "deliveries that the last process left are due again",
      );
    }
    if (channels.sms ?? channels.mail) {
      const filed = await store.releaseFiled(now());
      if (filed > 0) log.info({ filed }, "applications that went to files go out now");
    }
    return released;
  }

  #freeSends(): number {
    return SENDS_AT_ONCE - this.#underWay.size;
  }

  /** Sends beside the loop; its end is noted, and wakes the loop, which fills the free place. */
  #begin(group: readonly LeasedDelivery[]): void {
    const fresh = group.filter((delivery) => !this.#renew(delivery));
    const [first] = fresh;
    if (first === undefined) return;
    const signal = this.#cutOff.signal;
    const attempted = isDigest(first, this.#needs.channels)
      ? attemptDigest(fresh, this.#needs, signal)
      : attempt(first, this.#needs, signal).then((result) => new Map([[first.deliveryId, result]]));
    const ended = attempted.then(async (results) => {
      for (const delivery of fresh) {
        const { deliveryId } = delivery;
        const lease = this.#underWay.get(deliveryId)?.lease ?? delivery;
        const result = results.get(deliveryId);
        if (result) {
          this.#unnoted.set(deliveryId, { lease, result });
          const { fence } = lease;
          this.#needs.journal.write({ deliveryId, fence, messages: result.messages ?? [] });
        }
        this.#underWay.delete(deliveryId);
      }
      // At once, not in the loop's next turn: a process killed before a mail is noted sends it again.
      // What the store does not take now, the loop tries again, and says why if that fails too.
      await this.#noteAll().catch(() => undefined);
      this.wake();
    });
    for (const lease of fresh) this.#underWay.set(lease.deliveryId, { lease, ended });
  }

  /** The clock jumped, so our own lease seemed to have run out: it is renewed, not sent once more. */
  #renew(delivery: LeasedDelivery): boolean {
    const { deliveryId } = delivery;
    const held = this.#underWay.get(deliveryId) ?? this.#unnoted.get(deliveryId);
    if (held) held.lease = delivery;
    return held !== undefined;
  }

  #raiseAlarms(): void {
    this.#alarms ??= raiseAlarms(this.#needs, this.#cutOff.signal)
      .catch((err: unknown) => {
        if (!(err instanceof StorageUnavailable)) log.error({ err }, "an alarm failed");
      })
      .then(() => {
        this.#alarms = undefined;
      });
  }

  async #noteAll(): Promise<void> {
    await Promise.all(
      [...this.#unnoted.values()].map((each) => {
        each.noting ??= this.#note(each).finally(() => {
          each.noting = undefined;
        });
        return each.noting;
      }),
    );
  }

  async #note(unnoted: Unnoted): Promise<void> {
    const { lease, result } = unnoted;
    const noted = await this.#needs.store.mark(lease, result, this.#needs.now());
    // Renewed meanwhile: the newer lease is ours too.
    if (!noted && unnoted.lease !== lease) return this.#note(unnoted);
    this.#unnoted.delete(lease.deliveryId);
    if (this.#unnoted.size === 0) this.#needs.journal.clear();
    if (!noted) {
      const { applicationId } = lease;
      log.warn({ applicationId }, "another worker has taken this delivery over, its note counts");
    }
  }

  async #expire(): Promise<void> {
    const { store, retention, now, clock } = this.#needs;
    if (!clock.status().steady) return;
    const clockWentBack = this.#retentionDueAt > now() + RETENTION_EVERY_MS;
    if (now() < this.#retentionDueAt && !clockWentBack) return;
    this.#retentionDueAt = now() + RETENTION_EVERY_MS;
    await deleteExpired(store, retention, now());
  }

  async #sleepMs(): Promise<number> {
    if (this.#freeSends() <= 0) return LONGEST_SLEEP_MS;
    const due = await this.#needs.store.nextDueAt();
    if (due === undefined) return LONGEST_SLEEP_MS;
    return Math.min(Math.max(due - this.#needs.now(), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
  }
}

function isDigest({ digest }: LeasedDelivery, { mail }: Channels): boolean {
  return digest !== undefined && mail !== undefined;
}

/** What goes out in one message: the deliveries of a digest, and every other one by itself. */
function together(due: readonly LeasedDelivery[], channels: Channels): LeasedDelivery[][] {
  const groups = Map.groupBy(due, (delivery) =>
    isDigest(delivery, channels) ? `digest ${delivery.digest}` : delivery.deliveryId,
  );
  return [...groups.values()];
}
