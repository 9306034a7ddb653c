/** One look at a job: does what is decided until nothing is left to do now. */
import { alarmsNow } from "#lib/delivery/alarms.ts";
import { type Action, type Case, decide } from "#lib/delivery/decide.ts";
import { Exchange, type LookNeeds } from "#lib/delivery/exchange.ts";
import { digestDueAt, isDue, LAST_TRY, nextTryAt } from "#lib/delivery/retry.ts";
import { messageOf, routesOf, subjectOf } from "#lib/delivery/subject.ts";
import { isLate } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { isReached } from "#lib/storage/queries/attempts.ts";
import type { Job, Verdict } from "#lib/storage/queries/jobs.ts";
import type { ChannelName } from "#lib/storage/tables.ts";

/** No job falls due again at once. */
const SHORTEST_PAUSE_MS = 1_000;

export class Look {
  readonly job: Job;
  readonly exchange: Exchange;
  readonly #needs: LookNeeds;
  readonly #kind: string;
  readonly #tried = new Set<ChannelName>();
  readonly #hungSince: number | undefined;
  readonly #due: boolean;
  readonly #random: number;

  /** `full`: the channel that has had no place for it for long. */
  constructor(
    job: Job,
    needs: LookNeeds,
    place: ChannelName | undefined,
    full: ChannelName | undefined,
  ) {
    this.job = job;
    this.exchange = new Exchange(job, needs, place);
    this.#needs = needs;
    this.#kind = subjectOf(job).kind;
    this.#due = isDue(job.retryAt, needs.now());
    this.#random = needs.random();
    if (full === undefined) return;
    this.#tried.add(full);
    this.#hungSince = job.raisedAt;
  }

  /** Never throws. */
  async run(): Promise<void> {
    const { store, holder, now, noted } = this.#needs;
    let verdict: Verdict;
    try {
      verdict = await this.#take();
    } catch (err) {
      if (!(err instanceof StorageUnavailable)) log.error({ err }, "a look at a job threw");
      this.exchange.faults.push({ refused: false, error: "the look was broken off" });
      verdict = this.#verdict("open");
    }
    await noted(() => store.settleJob(holder, this.job, verdict, now()));
    this.#log(verdict);
  }

  async #take(): Promise<Verdict> {
    if (await this.#isPast()) return this.#verdict("done");
    for (;;) {
      const c = await this.#case();
      const action = decide(c);
      if (action.do === "ask") await this.exchange.ask(action.attempts, c.order.length > 1);
      else if (action.do === "send") {
        this.#tried.add(action.channel);
        await this.exchange.send(action);
      } else return this.#conclude(action, c);
    }
  }

  /** What nobody needs to be told any more: an alarm whose cause is gone, a digest of what was deleted. */
  async #isPast(): Promise<boolean> {
    const { job } = this;
    if (this.#kind === "digest") return job.applications.length === 0;
    if (this.#kind !== "alarm") return false;
    const current = (await alarmsNow(this.#needs)).find(({ subject }) => subject === job.subject);
    // It says what is known now.
    job.payload = current?.payload ?? job.payload;
    return current === undefined;
  }

  async #case(): Promise<Case> {
    const { now, channels } = this.#needs;
    const { asked, roomAt } = this.exchange;
    const { attempts, applications } = this.job;
    const { order, recipients } = routesOf(this.job, channels);
    const application = this.#kind === "application" ? applications[0] : undefined;
    return {
      ...{ order, recipients, attempts, now: now(), ...this.#tries() },
      ...{ due: this.#due, asked, tried: this.#tried, roomAt },
      failingSince: this.#hungSince ?? (await this.#failingSince(order[0])),
      mayRepeat: ["application", "digest"].includes(this.#kind),
      shortened:
        application !== undefined &&
        channels.sms?.isShortened({ kind: "application", application }) === true,
      yields: this.#kind === "digest",
    };
  }

  async #failingSince(first: ChannelName | undefined): Promise<number | undefined> {
    const { attempts } = this.job;
    const failed = attempts.some(({ outcome }) => !isReached(outcome));
    if (!failed || first === undefined || attempts.every(({ channel }) => channel !== first))
      return;
    const [fault] = await this.#needs.store.failing({ [first]: [] });
    return fault?.since;
  }

  /** A try that failed counts once, and only where it was due: what recovers often costs no tries. */
  #tries(): { tries: number; retryAt: number; exhausted: boolean } {
    const { job } = this;
    const { faults } = this.exchange;
    const counts = this.#due && faults.length > 0;
    const tries = job.tries + (counts ? 1 : 0);
    const notBefore = Math.max(0, ...faults.map((fault) => fault.notBefore ?? 0));
    const refused = faults.length > 0 && faults.every((fault) => fault.refused);
    const planned = { tries, refused, notBefore, now: this.#needs.now(), random: this.#random };
    const retryAt = counts ? nextTryAt(planned) : Math.max(job.retryAt, notBefore);
    return { tries, retryAt, exhausted: tries >= LAST_TRY };
  }

  async #conclude(action: Exclude<Action, { do: "ask" | "send" }>, c: Case): Promise<Verdict> {
    const { job } = this;
    const { store, holder } = this.#needs;
    if (action.do === "file") return this.#file();
    if (action.do === "done") return this.#verdict("done");
    const isLateWeek = this.#kind === "weekly" && isLate(job, c.now);
    if (action.do === "give-up" || isLateWeek) return this.#verdict("given-up");
    const { capped, faults } = this.exchange;
    const isHeldBack = capped && faults.length === 0 && job.digest === undefined;
    const isMailable =
      c.order.includes("mail") && c.attempts.every(({ channel }) => channel !== "mail");
    if (this.#kind !== "application" || !isHeldBack || !isMailable) {
      return this.#verdict("open", action.until);
    }
    const dueAt = digestDueAt(c.now);
    await store.putIntoDigest(holder, job.id, { dueAt, now: c.now });
    return this.#verdict("open", dueAt);
  }

  /** Nothing is configured that could carry it. */
  async #file(): Promise<Verdict> {
    if (this.#kind !== "application" && this.#kind !== "weekly") return this.#verdict("given-up");
    const message = await messageOf(this.job, { insteadOf: undefined, whole: false }, this.#needs);
    const fault = message && (await this.#needs.channels.file.write(message));
    if (!fault) return this.#verdict(this.#kind === "weekly" ? "done" : "filed");
    this.exchange.faults.push({ refused: false, error: fault.error });
    return this.#verdict("open");
  }

  #verdict(state: Verdict["state"], nextAt?: number): Verdict {
    const { tries, retryAt } = this.#tries();
    const soonest = this.#needs.now() + SHORTEST_PAUSE_MS;
    return { state, nextAt: Math.max(nextAt ?? retryAt, soonest), tries, retryAt };
  }

  #log({ state, tries }: Verdict): void {
    const { applicationId, attempts } = this.job;
    const { channel, outcome } = attempts.at(-1) ?? {};
    const { faults } = this.exchange;
    const errors = faults.length > 0 ? faults.map(({ error }) => error) : undefined;
    log[state === "given-up" || errors ? "warn" : "info"](
      { kind: this.#kind, applicationId, state, tries, channel, outcome, errors },
      `delivery ${state}`,
    );
  }
}
