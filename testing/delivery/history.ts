/** A history of the delivery: it does actions with the real worker and store, and looks for broken rules after each. */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { MAX_TRIES } from "#lib/delivery/retry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { NoticeState } from "#lib/storage/queries/outcomes.ts";
import type { HistoryAction, HistorySettings } from "#testing/delivery/actions.ts";
import type { Delivery } from "#testing/delivery/delivery-checks.ts";
import { SimulatedProcess } from "#testing/delivery/process.ts";
import { mapChannels } from "#testing/delivery/provider-behaviour.ts";
import { FakeProviders } from "#testing/delivery/providers.ts";
import { World } from "#testing/delivery/world.ts";
import type { StoreInMemory } from "#testing/storage/store-in-memory.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

const RECIPIENTS = mapChannels((name) => [`one@${name}.example`, `two@${name}.example`]);

const PENDING_STATES = "in ('waiting', 'capped', 'unsure', 'accepted', 'refused')";

/** Shortest mean interval between two steps of the clock: a worker with shorter steps polls. */
const SHORTEST_STEP_MS = 10_000;
/** More passes in a row that send something count as an endless loop. */
const MOST_PASSES = 25;
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
    this.world.firstChannels = this.world.configured();
  }

  #startWorker(): DeliveryWorker {
    const { caps, recipients } = this.#settings;
    const { world } = this;
    for (const each of ["hourly", "daily"] as const)
      world.caps[each] = Math.max(world.caps[each], caps[each]);
    world.hourlyCap = caps.hourly;
    this.#process = new SimulatedProcess();
    world.startedAt = world.steady;
    world.sendsBefore = world.sends.length;
    const configured = mapChannels((name) => RECIPIENTS[name].slice(0, recipients[name]));
    // The worker reads notes only about backups and retention, and deletes nothing that it cannot note.
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
      monotonic: () => world.steady,
      random: () => 0,
      pause: (_ms, signal) =>
        new Promise((resolve) => {
          if (this.#isStopping || signal.aborted) resolve();
          else signal.addEventListener("abort", () => resolve(), { once: true });
        }),
    });
  }

  async do(action: HistoryAction): Promise<void> {
    const { world } = this;
    world.happened.add(action.do);
    switch (action.do) {
      case "apply":
        await this.#apply(action);
        break;
      case "pass":
        return this.pass(action.ms);
      case "providers":
        return world.setProviders(action.providers);
      case "crash":
        this.#process.crashPoint = action.crashPoint;
        return;
      case "restart":
        return this.restart(action.settings);
      case "set the clock":
        world.now += action.by;
        break;
      case "resend":
        await this.#resend(action);
        break;
      case "age retries":
        this.#memory.rows("update messages set tries = ? where tries > 0", MAX_TRIES - 1);
        return;
      case "resume stalled sends":
        for (const process of this.#stopped.splice(0)) process.resume();
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
    const submitted = { action, askedAt: this.world.steady, resends: 0, wasResent: false };
    this.world.applications.set(acceptance.applicationId, submitted);
  }

  async #resend({ which, again }: Extract<HistoryAction, { do: "resend" }>): Promise<void> {
    const [applicationId, submitted] = [...this.world.applications][which] ?? [];
    if (applicationId === undefined || submitted === undefined) return;
    const { store } = this.#memory;
    const before = await store.find(applicationId);
    const resent = await resendApplication(store, applicationId, { again, now: this.world.now });
    if (!resent.startsWith("due")) return;
    // A resend does not restart the waiting time of an application that no provider has.
    const after = await store.find(applicationId);
    const isAnew = before?.finishedAt !== undefined || after?.repeats !== before?.repeats;
    if (isAnew) submitted.askedAt = this.world.steady;
    submitted.wasResent = true;
    if (resent === "due") submitted.resends += 1;
  }

  /** Moves the clock on and runs the worker until nothing is due. */
  async pass(ms: number): Promise<void> {
    const { world } = this;
    const end = world.steady + ms;
    for (let steps = 0; world.steady < end; steps++) {
      if (steps > 100 + ms / SHORTEST_STEP_MS) throw new Error("the worker polls");
      const nextEnd = this.#providers.endHanging() - world.steady;
      const step = Math.min(this.#nextDueAt() - world.now, nextEnd, end - world.steady);
      world.pass(Math.max(step, 1));
      this.#providers.endHanging();
      await this.settle();
    }
  }

  /** Runs passes until one sends nothing, or leaves nothing to do. */
  async settle(): Promise<void> {
    for (let passes = 0, isQuiet = false; !isQuiet; passes++) {
      if (passes > MOST_PASSES) throw new Error("the worker spins");
      const { conversations, faults } = this.#providers;
      void this.#worker.runPass();
      // Everything but a conversation that hangs ends within one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#providers.broken) throw new Error(this.#providers.broken);
      // An alarm follows in the pass after its fault.
      const mayHaveMore = this.#providers.faults > faults || this.#isAnythingDue();
      isQuiet = this.#providers.conversations === conversations || !mayHaveMore;
      isQuiet &&= !this.#process.wasStopped;
      if (this.#process.wasStopped) await this.#replaceKilledProcess();
    }
  }

  async #replaceKilledProcess(): Promise<void> {
    this.#stopped.push(this.#process);
    this.world.pass(RESTART_MS);
    // The kernel ends the killed process's right to send.
    await this.#memory.store.releaseLease(this.#worker.holder);
    this.#worker = this.#startWorker();
  }

  async restart(changed: HistorySettings): Promise<void> {
    this.#process.crashPoint = undefined;
    this.#isStopping = true;
    await this.#worker.stop();
    this.#isStopping = false;
    this.#settings = changed;
    this.#worker = this.#startWorker();
    if (this.world.configured().length > 0)
      for (const { applicationId, state } of this.deliveries())
        if (state === "filed") this.#askAgain(applicationId);
    await this.settle();
  }

  #askAgain(applicationId: string): void {
    const submitted = this.world.applications.get(applicationId);
    if (submitted) submitted.askedAt = this.world.steady;
  }

  /** A day and two hours in which everything works. */
  async letEverythingArrive(afterRestart: () => void): Promise<void> {
    this.world.setProviders({ ...mapChannels(() => "works" as const), list: "prompt" });
    const recipients = mapChannels((name) => Math.max(this.#settings.recipients[name], 1));
    await this.restart({ recipients, caps: { hourly: 30, daily: 100 } });
    afterRestart();
    await this.pass(DAY + 120 * MINUTE);
  }

  findings() {
    const { recipients, now } = this.world;
    const to = mapChannels((name) =>
      recipients[name].length > 0 ? { to: [...recipients[name]] } : undefined,
    );
    const settings = { siteUrl: "https://practice.example", ...to };
    return deliveryFindings(this.#memory.store, settings, now);
  }

  deliveries(): Delivery[] {
    const notices = `select id, application_id, preferred_channel, state from notices
      where kind = 'application' order by id`;
    const messages = `select recipient, next_at from messages
      where notice_id = ? and state ${PENDING_STATES}`;
    return this.#memory.rows(notices).map((row) => {
      const times = this.#memory
        .rows(messages, Number(row.id))
        .filter(({ recipient }) => this.world.isConfigured(String(recipient)))
        .map(({ next_at }) => Number(next_at));
      return {
        applicationId: String(row.application_id),
        preferred: row.preferred_channel === "mail" ? "mail" : "sms",
        state: row.state as NoticeState,
        // What waits for the slot of a conversation that hangs is sent once the slot is free.
        nextAt: this.#providers.hanging > 0 ? this.world.now : Math.max(0, ...times),
      };
    });
  }

  #isAnythingDue(): boolean {
    const { now } = this.world;
    const due = `select recipient from messages inner join notices on notices.id = notice_id
      where (next_at <= ? or next_at > ?) and messages.state ${PENDING_STATES}
      and (notices.state = 'open' or (notices.state = 'sent' and messages.state = 'accepted'))`;
    return (
      this.#memory.rows("select id from notices where state = 'new'").length > 0 ||
      this.#memory
        .rows(due, now, now + DAY + MINUTE)
        .some(({ recipient }) => this.world.isConfigured(String(recipient)))
    );
  }

  /** What no worker may leave behind while nothing happens. */
  leftovers(): string[] {
    const { hanging } = this.#providers;
    const sending = this.#memory.rows("select id from messages where state = 'sending'").length;
    const late = this.#memory.rows("select id from messages where provider_id = 'late'").length;
    return [
      // A conversation that hangs takes a slot, so that others may have to wait.
      hanging === 0 && this.#isAnythingDue() && "a message that is due",
      sending > hanging && "a message without a conversation",
      late > 0 && "a change by a process without the right to send",
    ].filter((what) => what !== false);
  }

  /** Every message so far, for the reader of a red history. */
  describe(): string {
    const numbers = [...this.world.applications.keys()];
    const minutes = (at: number) => `${(at / MINUTE).toFixed(1)} min`;
    return this.world.sends
      .map(({ at, channel, recipient, kind, about, applicationId, answer, arrived, isSearched }) =>
        [
          minutes(at),
          `${channel} to ${recipient.slice(0, 3)}:`,
          applicationId ? `application ${numbers.indexOf(applicationId) + 1}` : `${kind} ${about}`,
          answer?.outcome ?? "no answer",
          arrived ? `(arrived, ${arrived.finalStatus})` : "(lost)",
          isSearched ? "(searched)" : "",
        ].join(" "),
      )
      .join("\n");
  }

  #nextDueAt(): number {
    const query = `select min(next_at) as at from messages where next_at > ?
      and state ${PENDING_STATES}`;
    return Number(this.#memory.rows(query, this.world.now)[0]?.at ?? Number.POSITIVE_INFINITY);
  }
}
