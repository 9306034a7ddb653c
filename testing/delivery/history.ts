/** A history of the delivery: it does actions with the real worker and store, and looks for broken rules after each. */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { MAX_TRIES } from "#lib/delivery/retry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import {
  type HistoryAction,
  type HistorySettings,
  mapChannels,
} from "#testing/delivery/actions.ts";
import { SimulatedProcess } from "#testing/delivery/process.ts";
import { FakeProviders } from "#testing/delivery/providers.ts";
import { findLeftover, isAnythingDue, listDeliveries, nextDueAt } from "#testing/delivery/rows.ts";
import { noteBrokenRule, type Rules } from "#testing/delivery/rules.ts";
import {
  type Delivery,
  RULES_AFTER_EACH_ACTION,
  RULES_AT_THE_END,
  RULES_OF_REPAIR,
} from "#testing/delivery/rules-of-deliveries.ts";
import { RULES_OF_HEALTH } from "#testing/delivery/rules-of-health.ts";
import { type HistoryEvent, World } from "#testing/delivery/world.ts";
import type { StoreInMemory } from "#testing/storage/store-in-memory.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

const RECIPIENTS = mapChannels((name) => [`one@${name}.example`, `two@${name}.example`]);

/** The worker does not run after these actions: they make nothing due, or run it themselves (`pass`, of time). */
const NO_PASSES_AFTER: readonly HistoryEvent[] = ["pass", "providers", "crash", "age retries"];

/** Shortest mean step of the clock from one due time to the next. A worker with shorter steps is polling. */
const MIN_STEP_MS = 10_000;
/** A worker that needs more passes in a row is in an endless loop. */
const MAX_PASSES = 25;
/** Time after which another process replaces a killed one. */
const RESTART_MS = 20_000;

export class DeliveryHistory {
  readonly world = new World();
  readonly #providers = new FakeProviders(this.world);
  readonly #memory: StoreInMemory;
  #settings: HistorySettings;
  #process = new SimulatedProcess();
  #worker: DeliveryWorker;
  #isStopping = false;
  /** Killed processes, which a history may resume as if they had only been suspended. */
  readonly #stopped: SimulatedProcess[] = [];

  constructor(memory: StoreInMemory, first: HistorySettings) {
    memory.empty();
    this.#memory = memory;
    this.#settings = first;
    this.#worker = this.#startWorker();
    this.world.firstChannels = this.world.configuredChannels();
  }

  #startWorker(): DeliveryWorker {
    const { caps, recipients } = this.#settings;
    const { world } = this;
    for (const each of ["hourly", "daily"] as const)
      world.highestCaps[each] = Math.max(world.highestCaps[each], caps[each]);
    world.hourlyCap = caps.hourly;
    this.#process = new SimulatedProcess();
    world.startedAt = world.elapsed;
    world.sendsBeforeStart = world.sends.length;
    const configured = mapChannels((name) => RECIPIENTS[name].slice(0, recipients[name]));
    // The worker uses notes only for backups and retention. A worker that cannot write a note deletes nothing.
    const refusal = new StorageUnavailable("No note is kept.", "failing");
    const notes = {
      readNote: async () => undefined,
      writeNote: () => Promise.reject(refusal),
    };
    return new DeliveryWorker({
      store: this.#process.view({ ...this.#memory.store, ...notes }),
      channels: this.#providers.channelsOf(this.#process, configured),
      caps,
      retention: { retentionDays: 36_500, dataDir: "/nowhere" },
      now: () => world.now,
      monotonicNow: () => world.elapsed,
      random: () => 0,
      pause: (_ms, signal) =>
        new Promise((resolve) => {
          if (this.#isStopping || signal.aborted) resolve();
          else signal.addEventListener("abort", () => resolve(), { once: true });
        }),
    });
  }

  /** Does the action and then, except after NO_PASSES_AFTER, whatever is due. @throws if a rule is broken */
  async do(action: HistoryAction): Promise<void> {
    const { world } = this;
    world.happened.add(action.do);
    switch (action.do) {
      case "apply":
        await this.#apply(action);
        break;
      case "pass":
        await this.#passTime(action.ms);
        break;
      case "providers":
        world.setProviders(action.providers);
        break;
      case "crash":
        this.#process.crashPoint = action.crashPoint;
        break;
      case "restart":
        await this.#restart(action.settings);
        break;
      case "set the clock":
        world.now += action.by;
        break;
      case "resend":
        await this.#resend(action);
        break;
      case "age retries":
        this.#memory.runStatement("update messages set tries = ? where tries > 0", MAX_TRIES - 1);
        break;
      case "resume stalled sends":
        for (const process of this.#stopped.splice(0)) process.resume();
        break;
    }
    if (!NO_PASSES_AFTER.includes(action.do)) await this.#runUntilQuiet();
    this.#check(RULES_AFTER_EACH_ACTION);
  }

  #check(rules: Rules<Delivery>): void {
    for (const delivery of listDeliveries(this.#memory, this.world))
      noteBrokenRule(rules, delivery, this.world);
    const left = findLeftover(this.#memory, this.world);
    if (left !== undefined) this.world.broken ??= `Broken: nothing is left behind: ${left}`;
    this.#expectUnbroken();
  }

  #expectUnbroken(): void {
    if (this.world.broken !== undefined) throw new Error(this.world.broken);
  }

  async #apply(action: Extract<HistoryAction, { do: "apply" }>): Promise<void> {
    const { route, isSuspicious, isLong } = action;
    const acceptance = await this.#memory.store.accept({
      route,
      idempotencyKey: crypto.randomUUID(),
      application: anApplication({ message: isLong ? "길".repeat(200) : "" }),
      now: this.world.now,
      suspicion: isSuspicious ? "flooding" : undefined,
    });
    if (!("applicationId" in acceptance)) return;
    const submitted = { action, waitsSince: this.world.elapsed, resends: 0 };
    this.world.applications.set(acceptance.applicationId, submitted);
  }

  async #resend({ which, again }: Extract<HistoryAction, { do: "resend" }>): Promise<void> {
    const [applicationId, submitted] = [...this.world.applications][which] ?? [];
    if (applicationId === undefined || submitted === undefined) return;
    const { store } = this.#memory;
    const before = await store.find(applicationId);
    const resent = await resendApplication(store, applicationId, { again, now: this.world.now });
    submitted.wasMadeDueEarly ||= resent === "search-first";
    if (resent !== "due") return;
    // An application that is still under way, and that no provider has, keeps its waiting time at a resend.
    const after = await store.find(applicationId);
    const isAnew = before?.finishedAt !== undefined || after?.resends !== before?.resends;
    if (isAnew) submitted.waitsSince = this.world.elapsed;
    submitted.resends += 1;
  }

  /** Moves the clock on by `ms`, from one due time to the next, and runs the worker at each of these times. */
  async #passTime(ms: number): Promise<void> {
    const { world } = this;
    const end = world.elapsed + ms;
    for (let steps = 0; world.elapsed < end; steps++) {
      if (steps > 100 + ms / MIN_STEP_MS) throw new Error("the worker polls");
      const untilEnd = Math.min(this.#providers.endHanging(), end) - world.elapsed;
      const step = Math.min(nextDueAt(this.#memory, world) - world.now, untilEnd);
      world.advance(Math.max(step, 1));
      this.#providers.endHanging();
      await this.#runUntilQuiet();
    }
  }

  /** Runs passes until one starts no conversation, or leaves nothing to do. */
  async #runUntilQuiet(): Promise<void> {
    for (let passes = 0, isQuiet = false; !isQuiet; passes++) {
      if (passes > MAX_PASSES) throw new Error("the worker spins");
      const { conversationCount, faultCount } = this.#providers;
      void this.#worker.runPass();
      // Everything but a conversation that hangs ends within one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      this.#expectUnbroken();
      // An alarm follows in the pass after its fault.
      const mayHaveMore =
        this.#providers.faultCount > faultCount || isAnythingDue(this.#memory, this.world);
      const hasStartedNone = this.#providers.conversationCount === conversationCount;
      isQuiet = !this.#process.wasStopped && (hasStartedNone || !mayHaveMore);
      if (this.#process.wasStopped) await this.#replaceKilledProcess();
    }
  }

  async #replaceKilledProcess(): Promise<void> {
    this.#stopped.push(this.#process);
    this.world.advance(RESTART_MS);
    // Releases the lease in place of the kernel, which frees the lock of a killed process.
    await this.#memory.store.releaseLease(this.#worker.holder);
    this.#worker = this.#startWorker();
  }

  async #restart(changed: HistorySettings): Promise<void> {
    this.#process.crashPoint = undefined;
    this.#isStopping = true;
    await this.#worker.stop();
    this.#isStopping = false;
    this.#settings = changed;
    this.#worker = this.#startWorker();
    if (this.world.configuredChannels().length === 0) return;
    this.world.forgetUnconfirmed();
    for (const { applicationId, state } of listDeliveries(this.#memory, this.world))
      if (state === "filed") this.world.restartWaiting(applicationId);
  }

  /** A day and two hours in which everything works. */
  async letEverythingArrive(): Promise<void> {
    this.world.setProviders({ ...mapChannels(() => "works" as const), list: "prompt" });
    const recipients = mapChannels((name) => Math.max(this.#settings.recipients[name], 1));
    await this.#restart({ recipients, caps: { hourly: 30, daily: 100 } });
    await this.#runUntilQuiet();
    this.#check(RULES_OF_REPAIR);
    await this.#passTime(DAY + 120 * MINUTE);
    this.#check({ ...RULES_AFTER_EACH_ACTION, ...RULES_AT_THE_END });
  }

  async checkHealth(): Promise<void> {
    const { recipients, now } = this.world;
    const to = mapChannels((name) =>
      recipients[name].length > 0 ? { to: [...recipients[name]] } : undefined,
    );
    const settings = { siteUrl: "https://practice.example", ...to };
    const findings = await deliveryFindings(this.#memory.store, settings, now);
    noteBrokenRule(
      RULES_OF_HEALTH,
      { findings, deliveries: listDeliveries(this.#memory, this.world) },
      this.world,
    );
    this.#expectUnbroken();
  }
}
