/** One look at a job: does what is decided until nothing is left to do now, and notes each step at once. */
import type { Fault, SendEnd } from "#lib/channels/carrier.ts";
import { alarmsNow } from "#lib/delivery/alarms.ts";
import { ask } from "#lib/delivery/ask.ts";
import { type Action, type Case, decide } from "#lib/delivery/decide.ts";
import type { LookedAt, LookNeeds } from "#lib/delivery/looked-at.ts";
import { digestDueAt, isDue, LAST_TRY, nextTryAt } from "#lib/delivery/retry.ts";
import { send } from "#lib/delivery/send.ts";
import { mayRepeat, messageOf, routesOf, subjectOf } from "#lib/delivery/subject.ts";
import { isLate, summaryOf } from "#lib/delivery/weekly.ts";
import type { Job, Verdict } from "#lib/storage/queries/jobs.ts";
import { isReached } from "#lib/storage/queries/sends.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/** A carrier without a free place is tried again after this; a place that becomes free wakes the worker earlier. */
const PLACE_PAUSE_MS = 5_000;
/** No job falls due again at once. */
const SHORTEST_PAUSE_MS = 1_000;

export class Look implements LookedAt {
  readonly job: Job;
  readonly needs: LookNeeds;
  /** The place that it has. */
  place: Carrier | undefined;
  asked = false;
  readonly tried = new Set<Carrier>();
  /** What has failed in this look. */
  readonly faults: { refused: boolean; notBefore?: number | undefined; error: string }[] = [];
  /** Since when it finds no place. */
  hungSince: number | undefined;
  roomAt: number | undefined;
  capped = false;
  readonly #due: boolean;
  readonly #random: number;

  constructor(job: Job, needs: LookNeeds, place: Carrier | undefined) {
    this.job = job;
    this.needs = needs;
    this.place = place;
    this.#due = isDue(job.retryAt, needs.now());
    this.#random = needs.random();
  }

  async take(): Promise<Verdict> {
    if (await this.#isPast()) return this.#verdict("done");
    for (;;) {
      const c = await this.#case();
      const action = decide(c);
      if (action.do === "ask") await ask(this, action.sends);
      else if (action.do === "send") await this.#send(action);
      else return this.#conclude(action, c);
    }
  }

  /** What nobody needs to be told any more: an alarm whose cause is gone, a summary that would come too late. */
  async #isPast(): Promise<boolean> {
    const { job, needs } = this;
    const { kind } = subjectOf(job);
    if (kind === "alarm") {
      const current = (await alarmsNow(needs)).find(({ subject }) => subject === job.subject);
      // It says what is known now.
      job.payload = current?.payload ?? job.payload;
      return current === undefined && job.sends.every(({ outcome }) => !isReached(outcome));
    }
    return kind === "digest" && job.applications.length === 0;
  }

  async #case(): Promise<Case> {
    const { job, needs } = this;
    const { order, recipients } = routesOf(job, needs.carriers);
    const failed = job.sends.some(({ outcome }) => !isReached(outcome));
    const [first] = order;
    const known =
      failed && first !== undefined && job.sends.some(({ carrier }) => carrier === first)
        ? (await needs.store.failingCarrier(first))?.since
        : undefined;
    return {
      order,
      recipients,
      sends: job.sends,
      now: needs.now(),
      ...this.#tries(),
      due: this.#due,
      lastReached: await this.#lastReached(),
      mayRepeat: mayRepeat(job),
      asked: this.asked,
      tried: this.tried,
      failingSince: this.hungSince ?? known,
      roomAt: this.roomAt,
      shortened: this.#isShortened(),
      yields: subjectOf(job).kind === "digest",
    };
  }

  /** Of the carriers that have failed: what waits for one goes out once it works again. */
  async #lastReached(): Promise<Partial<Record<Carrier, number>>> {
    const found: Partial<Record<Carrier, number>> = {};
    for (const { carrier, about } of this.job.sends) {
      if (about === "channel") found[carrier] ??= await this.needs.store.lastReached(carrier);
    }
    return found;
  }

  #isShortened(): boolean {
    const { job, needs } = this;
    const [application] = job.applications;
    if (subjectOf(job).kind !== "application" || application === undefined) return false;
    return needs.carriers.sms?.shortens({ kind: "application", application }) ?? false;
  }

  /** A try that failed counts once, and only where it was due: what recovers often costs no tries. */
  #tries(): { tries: number; retryAt: number; exhausted: boolean } {
    const { job, faults, needs } = this;
    const counts = this.#due && faults.length > 0;
    const tries = job.tries + (counts ? 1 : 0);
    const named = faults.flatMap(({ notBefore }) => notBefore ?? []);
    const notBefore = named.length > 0 ? Math.max(...named) : undefined;
    const refused = faults.length > 0 && faults.every((fault) => fault.refused);
    const { now } = needs;
    const planned = { tries, refused, notBefore, now: now(), random: this.#random };
    const retryAt = counts ? nextTryAt(planned) : Math.max(job.retryAt, notBefore ?? 0);
    return { tries, retryAt, exhausted: tries >= LAST_TRY };
  }
  note({ outcome, notBefore, fault }: SendEnd): Fault | undefined {
    if (fault === undefined || this.needs.cutOff.aborted) return undefined;
    this.faults.push({ refused: outcome === "refused", notBefore, error: fault.error });
    return fault;
  }

  async #send(action: Extract<Action, { do: "send" }>): Promise<void> {
    const { needs, job } = this;
    const { carrier } = action;
    this.tried.add(carrier);
    if (this.place !== carrier) {
      if (!needs.places.take(carrier)) {
        this.roomAt = needs.now() + PLACE_PAUSE_MS;
        return;
      }
      if (this.place) needs.places.giveBack(this.place);
      this.place = carrier;
    }
    const message = await messageOf(job, action, needs);
    if (message) await send(this, action, message);
    this.asked = true;
  }

  async #conclude(action: Exclude<Action, { do: "ask" | "send" }>, c: Case): Promise<Verdict> {
    const { job, needs } = this;
    const { kind } = subjectOf(job);
    if (action.do === "file") return this.#file(kind);
    if (action.do === "done") return this.#verdict("done");
    if (action.do === "give-up") return this.#verdict("given-up");
    if (kind === "weekly" && isLate(job, c.now)) return this.#verdict("given-up");
    const maySave = kind === "application" && this.capped && this.faults.length === 0;
    const isMailable =
      c.order.includes("mail") && c.sends.every(({ carrier }) => carrier !== "mail");
    if (maySave && isMailable && !job.inDigest) {
      const dueAt = digestDueAt(c.now);
      await needs.store.putIntoDigest(job.id, { dueAt, holder: needs.holder, now: c.now });
      return this.#verdict("open", dueAt);
    }
    return this.#verdict("open", action.until);
  }

  /** Nothing is configured that could carry it. */
  async #file(kind: string): Promise<Verdict> {
    const { job, needs } = this;
    const [application] = job.applications;
    if (kind !== "application" && kind !== "weekly") return this.#verdict("given-up");
    const { file } = needs.carriers;
    const fault =
      kind === "weekly"
        ? await file.write({ kind, summary: await summaryOf(job, needs) })
        : application && (await file.write({ kind, application }));
    if (fault === undefined) return this.#verdict(kind === "weekly" ? "done" : "filed");
    this.faults.push({ refused: false, error: fault.error });
    const { tries, retryAt } = this.#tries();
    return { state: "open", nextAt: retryAt, tries, retryAt };
  }

  #verdict(state: Verdict["state"], nextAt = 0): Verdict {
    const { tries, retryAt } = this.#tries();
    const soonest = this.needs.now() + SHORTEST_PAUSE_MS;
    return { state, nextAt: Math.max(nextAt, soonest), tries, retryAt };
  }
}
