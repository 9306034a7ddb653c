/** A random history of the delivery engine: it runs actions and checks invariants. */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { MAX_TRIES } from "#lib/delivery/retry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { Store } from "#lib/storage/store.ts";
import type { HistoryAction, HistorySettings } from "#testing/delivery/actions.ts";
import { mapChannels } from "#testing/delivery/provider-behaviour.ts";
import { FakeProviders } from "#testing/delivery/providers.ts";
import type { StoreInMemory } from "#testing/storage/store-in-memory.ts";
import { anApplication, TEST_NOW } from "#testing/storage/temporary-store.ts";

const RECIPIENTS = mapChannels((name) => [`one@${name}.example`, `two@${name}.example`]);

/** Shortest mean interval between two steps of the clock: a worker with shorter steps polls. */
const SHORTEST_STEP_MS = 10_000;

/** More consecutive passes with due jobs count as an endless loop. */
const MOST_PASSES = 25;

export class DeliveryHistory {
  readonly world = new FakeProviders();
  readonly #memory: StoreInMemory;
  #worker: DeliveryWorker;
  settings: HistorySettings;
  /** The submitted applications by number. */
  readonly applications = new Map<string, Extract<HistoryAction, { do: "apply" }>>();
  /** Time since which each application waits: its submission, its resend, or the restart that sends a filed one. */
  readonly askedAt = new Map<string, number>();
  /** True once some jobs look as if they had been retried for almost five days. */
  hasAgedRetries = false;

  constructor(memory: StoreInMemory, first: HistorySettings) {
    memory.empty();
    this.#memory = memory;
    this.world.sendLog.now = TEST_NOW;
    this.settings = first;
    this.#worker = this.#startWorker();
  }

  /** The store without its notes: the worker reads notes only about backups and retention. */
  get #store(): Store {
    const none = { findNote: async () => undefined, writeNote: async () => undefined };
    return { ...this.#memory.store, ...none };
  }

  #startWorker(): DeliveryWorker {
    const { caps, recipients } = this.settings;
    const highest = this.world.sendLog.caps;
    for (const each of ["hourly", "daily"] as const)
      highest[each] = Math.max(highest[each], caps[each]);
    const channels = this.world.channels(
      mapChannels((name) => RECIPIENTS[name].slice(0, recipients[name])),
    );
    const now = () => this.world.now;
    return new DeliveryWorker({
      store: this.#store,
      channels,
      caps,
      retention: { retentionDays: 36_500, dataDir: "/nowhere" },
      now,
      monotonic: () => this.world.steady,
      random: () => 0,
      pause: (_ms, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve();
          else signal.addEventListener("abort", () => resolve(), { once: true });
        }),
    });
  }

  async apply(action: HistoryAction): Promise<void> {
    switch (action.do) {
      case "apply":
        await this.#apply(action);
        break;
      case "pass":
        return this.pass(action.ms);
      case "providers":
        Object.assign(this.world.sendLog.providers, action.providers);
        return;
      case "crash":
        return this.world.crashAtNextMessage(action.crashPoint);
      case "restart":
        this.world.sendLog.settingsChanged = true;
        return this.restart(action.settings);
      case "set the clock":
        this.world.sendLog.now += action.by;
        this.world.sendLog.clockWasSet = true;
        break;
      case "resend":
        await this.#resend(action);
        break;
      case "age retries":
        this.hasAgedRetries = true;
        this.#memory.rows("update jobs set tries = ? where tries > 0", MAX_TRIES - 1);
        return;
      case "resume stalled sends":
        for (const resolve of this.world.stalled.splice(0))
          resolve([{ outcome: "accepted", providerId: "late", hasLeftProvider: true }]);
        break;
    }
    await this.settle();
  }

  async #apply(action: Extract<HistoryAction, { do: "apply" }>): Promise<void> {
    const { route, suspicious, long } = action;
    const acceptance = await this.#memory.store.accept({
      route,
      idempotencyKey: crypto.randomUUID(),
      application: anApplication({ message: long ? "길".repeat(200) : "" }),
      now: this.world.now,
      suspicion: suspicious ? "flooding" : undefined,
    });
    if (!("applicationId" in acceptance)) return;
    this.applications.set(acceptance.applicationId, action);
    this.askedAt.set(acceptance.applicationId, this.world.now);
  }

  async #resend({ which, again }: Extract<HistoryAction, { do: "resend" }>): Promise<void> {
    const applicationId = [...this.applications.keys()][which];
    if (applicationId === undefined) return;
    const { store } = this.#memory;
    const before = await store.find(applicationId);
    const resent = await resendApplication(store, applicationId, { again, now: this.world.now });
    if (!resent.startsWith("due")) return;
    // A resend does not restart the waiting time of an application that no provider has.
    const after = await store.find(applicationId);
    if (before?.state !== "open" || after?.repeats !== before.repeats)
      this.askedAt.set(applicationId, this.world.now);
    const { asked, resentNow } = this.world.sendLog;
    resentNow.add(applicationId);
    if (resent === "due") asked.set(applicationId, (asked.get(applicationId) ?? 0) + 1);
  }

  /** Moves the clock on and runs the worker until nothing is due. */
  async pass(ms: number): Promise<void> {
    const end = this.world.steady + ms;
    for (let steps = 0; this.world.steady < end; steps++) {
      if (steps > 100 + ms / SHORTEST_STEP_MS) throw new Error("the worker polls");
      const step = Math.min(this.#nextDueAt() - this.world.now, end - this.world.steady);
      this.world.pass(Math.max(step, 1));
      await this.settle();
    }
  }

  /** Runs passes until nothing is due. A crashed process restarts after 20 s. @throws for a broken invariant */
  async settle(): Promise<void> {
    for (let passes = 0; passes < MOST_PASSES; passes++) {
      this.#memory.setClock(this.world.steady);
      const dies = this.world.crashPoint !== undefined;
      const pass = this.#worker.runPass().then(() => this.#worker.idle());
      const dead = await Promise.race([
        pass.then(() => false),
        this.world.crashed.then(() => true),
      ]);
      if (dies && dead) {
        this.world.crashed = new Promise(() => undefined);
        this.world.pass(20_000);
        this.#worker = this.#startWorker();
      } else if (this.world.wrong) throw new Error(this.world.wrong);
      else if (!this.#isDue()) return;
    }
    throw new Error("the worker spins");
  }

  #nextDueAt(): number {
    const query = "select min(next_at) as at from jobs where state = 'open' and next_at > ?";
    return Number(this.#memory.rows(query, this.world.now)[0]?.at ?? Number.POSITIVE_INFINITY);
  }

  #isDue(): boolean {
    const { now } = this.world;
    const query = "select 1 from jobs where state = 'open' and (next_at <= ? or next_at > ?)";
    return this.#memory.rows(query, now, now + DAY + MINUTE).length > 0;
  }

  async restart(changed: HistorySettings): Promise<void> {
    this.world.crashPoint = undefined;
    await this.#worker.stop();
    this.settings = changed;
    this.#worker = this.#startWorker();
    if (Object.values(changed.recipients).some((count) => count > 0)) {
      for (const { state, application_id } of this.jobs())
        if (state === "filed") this.askedAt.set(String(application_id), this.world.now);
    }
    await this.settle();
  }

  findings() {
    const { recipients } = this.world.sendLog;
    const to = mapChannels((name) =>
      recipients[name].length > 0 ? { to: [...recipients[name]] } : undefined,
    );
    const settings = { siteUrl: "https://practice.example", ...to };
    return deliveryFindings(this.#store, settings, this.world.now);
  }

  jobs() {
    return this.#memory.rows("select * from jobs order by id");
  }

  /** Attempts that should have ended, and attempts that a worker changed after it lost its lease. */
  danglingAttempts() {
    return this.#memory.rows(
      "select outcome from attempts where outcome = 'sending' or provider_id = 'late'",
    );
  }
}
