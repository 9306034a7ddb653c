/** The delivery worker: one loop that looks at what is due. Over all servers, one worker sends at a time. */
import { CARRIER_NAMES, type Carriers } from "#lib/channels/carriers.ts";
import type { Clock } from "#lib/clock.ts";
import { alarmsNow } from "#lib/delivery/alarms.ts";
import { Look } from "#lib/delivery/look.ts";
import type { LookNeeds } from "#lib/delivery/looked-at.ts";
import { Places } from "#lib/delivery/places.ts";
import { HourlyRetention, type Retention } from "#lib/delivery/retention.ts";
import { FAILOVER_AFTER_MS, nextTryAt } from "#lib/delivery/retry.ts";
import { routesOf, subjectOf } from "#lib/delivery/subject.ts";
import { type Pause, pauseFor, SupervisedLoop } from "#lib/delivery/supervised-loop.ts";
import { weekNow } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { Job, Verdict } from "#lib/storage/queries/jobs.ts";
import type { Raised } from "#lib/storage/queries/notices.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/** The longest sleep: the worker's row is renewed in every turn, and a clock that jumps must not let it oversleep. */
const LONGEST_SLEEP_MS = 5_000;
/** The shortest, so that the loop cannot spin. */
const SHORTEST_SLEEP_MS = 20;
/** While another worker sends, its row is looked at this often. */
const STANDBY_MS = 2_000;
/** What fails is looked at after a fault, and this often. */
const ALARMS_EVERY_MS = 30_000;
const STORAGE_PAUSE_MS = 5_000;
/** How long a stop waits for the sends under way before it cuts them off. */
const STOP_GRACE_MS = 8_000;

export interface WorkerNeeds {
  store: DeliveryStore;
  carriers: Carriers;
  caps: SmsCaps;
  retention: Retention;
  /** Whether the owner gets a summary on Mondays. */
  weeklySummary?: boolean;
  now?: Clock;
  /** ms that only grow: with them a wall clock that was set is noticed. */
  monotonic?: Clock;
  random?: () => number;
  pause?: Pause;
}

export class DeliveryWorker {
  readonly #needs: Required<WorkerNeeds> & LookNeeds;
  readonly #loop: SupervisedLoop;
  readonly #retention: HourlyRetention;
  /** The jobs that are looked at, by their numbers. */
  readonly #looks = new Map<number, Promise<void>>();
  /** Aborted when the grace is over: sends under way give up. */
  readonly #cutOff = new AbortController();
  #lastTurnAt: number | undefined;
  #tookOver = false;
  #alarmsAt = 0;
  #deleting: Promise<void> | undefined;

  constructor(needs: WorkerNeeds) {
    this.#needs = {
      ...{ now: needs.store.now, monotonic: () => performance.now(), weeklySummary: false },
      ...{ random: Math.random, pause: pauseFor, ...needs },
      places: new Places(),
      holder: crypto.randomUUID(),
      cutOff: this.#cutOff.signal,
      noted: (note) => this.#noted(note),
    };
    this.#loop = new SupervisedLoop(() => this.turn(), this.#needs.pause);
    this.#retention = new HourlyRetention(this.#needs);
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

  /** Finishes the sends under way, or cuts them off after a grace. Resolves within 10 s; another worker goes on. */
  async stop(): Promise<void> {
    const { store, pause, holder } = this.#needs;
    await this.#loop.stop();
    const grace = new AbortController();
    const graceOver = pause(STOP_GRACE_MS, grace.signal).then(() => this.#cutOff.abort());
    await this.idle();
    grace.abort();
    await graceOver;
    await store.letGoOfWorker(holder).catch(() => undefined);
  }

  /** Until nothing is looked at. */
  async idle(): Promise<void> {
    await Promise.all([...this.#looks.values(), this.#deleting]);
  }

  /** One turn of the loop: looks at everything that is due and has a place. Returns for how long to sleep. */
  async turn(): Promise<number> {
    const { store, now, holder, carriers } = this.#needs;
    this.#lastTurnAt = now();
    const hold = await store.holdWorker(holder);
    if (hold !== "held") this.#tookOver = false;
    if (hold === "other") return STANDBY_MS;
    if (!this.#tookOver) {
      const hasCarrier = Boolean(carriers.sms ?? carriers.mail);
      await store.takeOver({ holder, now: now(), hasCarrier });
      this.#tookOver = true;
    }
    await this.#raise();
    await this.#begin();
    this.#deleteExpired();
    const next = (await store.nextDueAt(now())) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(next - now(), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
  }

  async #raise(): Promise<void> {
    const { store, carriers, now, holder, weeklySummary } = this.#needs;
    if (Math.abs(now() - this.#alarmsAt) < ALARMS_EVERY_MS) return;
    this.#alarmsAt = now();
    const week = weeklySummary ? await weekNow(this.#needs) : undefined;
    const raised: Raised[] = [...(await alarmsNow(this.#needs)), ...(week ? [week] : [])];
    for (const each of raised) {
      const { order } = routesOf({ ...each, applications: [] }, carriers);
      if (order.length === 0 && each !== week) continue;
      await store.raise(each, { holder, now: now() });
    }
  }

  /** A job takes a place of its first carrier; where that has none for long, one of the other. */
  async #begin(): Promise<void> {
    const { carriers, places, now } = this.#needs;
    const names = CARRIER_NAMES.filter((name) => carriers[name]);
    const [only] = names;
    if (names.length < 2) {
      await this.#beginDue({ first: undefined, raisedBefore: undefined }, only);
      return;
    }
    for (const [first, other] of [CARRIER_NAMES, CARRIER_NAMES.toReversed()] as [
      Carrier,
      Carrier,
    ][]) {
      await this.#beginDue({ first, raisedBefore: undefined }, first);
      if (places.free(first) <= 0)
        await this.#beginDue({ first, raisedBefore: now() - FAILOVER_AFTER_MS }, other);
    }
  }

  async #beginDue(
    queue: { first: Carrier | undefined; raisedBefore: number | undefined },
    place: Carrier | undefined,
  ): Promise<void> {
    const { store, places, now } = this.#needs;
    for (;;) {
      const limit = place ? places.free(place) : FILES_AT_ONCE - this.#looks.size;
      if (limit <= 0 || this.#loop.stopping.aborted) return;
      const except = [...this.#looks.keys()];
      const due = await store.dueJobs({ ...queue, now: now(), except, limit });
      for (const job of due) {
        if (place) places.take(place);
        this.#look(job, place, queue.raisedBefore === undefined ? undefined : queue.first);
      }
      if (due.length < limit) return;
    }
  }

  /** Looks beside the loop; its end wakes the loop, which fills the free place. `full`: has had no place for long. */
  #look(job: Job, place: Carrier | undefined, full: Carrier | undefined): void {
    const look = new Look(job, this.#needs, place);
    if (full !== undefined) {
      look.tried.add(full);
      look.hungSince = job.raisedAt;
    }
    const ended = this.#take(look).finally(() => {
      if (look.place) this.#needs.places.giveBack(look.place);
      if (look.faults.length > 0) this.#alarmsAt = 0;
      this.#looks.delete(job.id);
      this.wake();
    });
    this.#looks.set(job.id, ended);
  }

  /** Never throws. */
  async #take(look: Look): Promise<void> {
    const { job } = look;
    const { store, holder, now, random } = this.#needs;
    let verdict: Verdict;
    try {
      verdict = await look.take();
    } catch (err) {
      if (!(err instanceof StorageUnavailable)) log.error({ err }, "a look at a job threw");
      const tries = job.tries + 1;
      const failed = { tries, refused: false, notBefore: undefined, now: now(), random: random() };
      const retryAt = nextTryAt(failed);
      verdict = { state: "open", nextAt: retryAt, tries, retryAt };
    }
    await this.#noted(() => store.settleJob(job, verdict, { holder, now: now() }));
    logVerdict(look, verdict);
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
        await pause(STORAGE_PAUSE_MS, cutOff);
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

/** While nothing is configured. */
const FILES_AT_ONCE = 8;

function logVerdict({ job, faults }: Look, { state, tries }: Verdict): void {
  const { kind, name } = subjectOf(job);
  const applicationId = kind === "application" ? name : undefined;
  const { carrier, outcome } = job.sends.at(-1) ?? {};
  const errors = faults.length > 0 ? faults.map(({ error }) => error) : undefined;
  log[state === "given-up" || errors ? "warn" : "info"](
    { kind, applicationId, state, tries, carrier, outcome, errors },
    `delivery ${state}`,
  );
}
