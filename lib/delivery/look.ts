/** One look at a job: does what is decided until nothing is left to do now, and notes each step at once. */
import type { SendEnd } from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Clock } from "#lib/clock.ts";
import { alarmsNow } from "#lib/delivery/alarms.ts";
import { answerAbout } from "#lib/delivery/ask.ts";
import { type Action, type Case, decide } from "#lib/delivery/decide.ts";
import { digestDueAt, FAILOVER_AFTER_MS, isDue, LAST_TRY, nextTryAt } from "#lib/delivery/retry.ts";
import { mayRepeat, messageOf, routesOf, subjectOf } from "#lib/delivery/subject.ts";
import { isLate, summaryOf } from "#lib/delivery/weekly.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { Job, Verdict } from "#lib/storage/queries/jobs.ts";
import { type EndOfSend, isReached, type Send } from "#lib/storage/queries/sends.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/** A carrier without a free place is tried again after this; a place that becomes free wakes the worker earlier. */
const PLACE_PAUSE_MS = 5_000;
/** No job falls due again at once. */
const SHORTEST_PAUSE_MS = 1_000;
/** No conversation holds up the other carrier longer than the failover may take. */
const LONGEST_TRY_MS = FAILOVER_AFTER_MS - 60_000;

export interface LookNeeds {
  store: Store;
  carriers: Carriers;
  caps: SmsCaps;
  /** Names the worker in all that it writes. */
  holder: string;
  now: Clock;
  random: () => number;
  /** Aborted when a stop has waited long enough. */
  cutOff: AbortSignal;
  /** Runs a note until the store takes it. */
  noted<Result>(note: () => Promise<Result>): Promise<Result | undefined>;
  /** Conversations side by side: each carrier has its own places, so that a mail that hangs holds up no text message. */
  hasPlace(carrier: Carrier): boolean;
}

export class Look {
  readonly job: Job;
  /** The carrier on which it has a place. */
  place: Carrier | undefined;
  /** What has failed in this look. */
  readonly faults: { refused: boolean; notBefore?: number | undefined; error: string }[] = [];
  readonly #needs: LookNeeds;
  readonly #tried = new Set<Carrier>();
  readonly #hungSince: number | undefined;
  readonly #due: boolean;
  readonly #random: number;
  /** A provider was asked, or a message left just now. */
  #asked = false;
  /** When a carrier without room is tried again; `capped`: there is no room under the caps. */
  #roomAt: number | undefined;
  #capped = false;

  /** `full`: the carrier that has had no place for it for long. */
  constructor(job: Job, needs: LookNeeds, place: Carrier | undefined, full: Carrier | undefined) {
    this.job = job;
    this.#needs = needs;
    this.place = place;
    this.#due = isDue(job.retryAt, needs.now());
    this.#random = needs.random();
    if (full === undefined) return;
    this.#tried.add(full);
    this.#hungSince = job.raisedAt;
  }

  async take(): Promise<Verdict> {
    if (await this.#isPast()) return this.#verdict("done");
    for (;;) {
      const c = await this.#case();
      const action = decide(c);
      if (action.do === "ask") await this.#ask(action.sends);
      else if (action.do === "send") await this.#send(action);
      else return this.#conclude(action, c);
    }
  }

  /** What nobody needs to be told any more: an alarm whose cause is gone, a digest of what was deleted. */
  async #isPast(): Promise<boolean> {
    const { job } = this;
    const { kind } = subjectOf(job);
    if (kind !== "alarm") return kind === "digest" && job.applications.length === 0;
    const current = (await alarmsNow(this.#needs)).find(({ subject }) => subject === job.subject);
    // It says what is known now.
    job.payload = current?.payload ?? job.payload;
    return current === undefined && job.sends.every(({ outcome }) => !isReached(outcome));
  }

  async #case(): Promise<Case> {
    const { now, carriers } = this.#needs;
    const { kind } = subjectOf(this.job);
    const [application] = this.job.applications;
    const { order, recipients } = routesOf(this.job, carriers);
    return {
      ...{ order, recipients, sends: this.job.sends, now: now(), ...this.#tries() },
      ...{ due: this.#due, asked: this.#asked, tried: this.#tried, roomAt: this.#roomAt },
      lastReached: await this.#lastReached(),
      mayRepeat: mayRepeat(this.job),
      failingSince: this.#hungSince ?? (await this.#failingSince(order[0])),
      shortened:
        kind === "application" &&
        application !== undefined &&
        (carriers.sms?.shortens({ kind, application }) ?? false),
      yields: kind === "digest",
    };
  }

  async #failingSince(first: Carrier | undefined): Promise<number | undefined> {
    const { sends } = this.job;
    const failed = sends.some(({ outcome }) => !isReached(outcome));
    if (!failed || first === undefined || sends.every(({ carrier }) => carrier !== first)) return;
    const [fault] = await this.#needs.store.failing({ [first]: [] });
    return fault?.since;
  }

  /** Of the carriers that have failed: what waits for one goes out once it works again. */
  async #lastReached(): Promise<Partial<Record<Carrier, number>>> {
    const found: Partial<Record<Carrier, number>> = {};
    for (const { carrier, about } of this.job.sends) {
      if (about === "channel") found[carrier] ??= await this.#needs.store.lastReached(carrier);
    }
    return found;
  }

  /** A try that failed counts once, and only where it was due: what recovers often costs no tries. */
  #tries(): { tries: number; retryAt: number; exhausted: boolean } {
    const { job, faults } = this;
    const counts = this.#due && faults.length > 0;
    const tries = job.tries + (counts ? 1 : 0);
    const named = faults.flatMap(({ notBefore }) => notBefore ?? []);
    const notBefore = named.length > 0 ? Math.max(...named) : undefined;
    const refused = faults.length > 0 && faults.every((fault) => fault.refused);
    const planned = { tries, refused, notBefore, now: this.#needs.now(), random: this.#random };
    const retryAt = counts ? nextTryAt(planned) : Math.max(job.retryAt, notBefore ?? 0);
    return { tries, retryAt, exhausted: tries >= LAST_TRY };
  }

  async #ask(sends: readonly Send[]): Promise<void> {
    const { now, cutOff, carriers } = this.#needs;
    this.#asked = true;
    const hasOther = routesOf(this.job, carriers).order.length > 1;
    const ends: EndOfSend[] = [];
    for (const send of sends) {
      const { tracking, tryLimitMs = 0 } = carriers[send.carrier] ?? {};
      const signal = AbortSignal.any([cutOff, AbortSignal.timeout(tryLimitMs)]);
      const end = await answerAbout(send, this.job, { tracking, hasOther, now, signal });
      if (end) ends.push(this.#ended(send, end));
    }
    if (ends.length > 0) await this.#noteEnds(ends);
  }

  /** One message leaves: noted before, and its end at once. */
  async #send(action: Extract<Action, { do: "send" }>): Promise<void> {
    const { job } = this;
    const { store, carriers, caps, holder, now, cutOff, noted, hasPlace } = this.#needs;
    const { carrier: name, recipients } = action;
    this.#tried.add(name);
    const carrier = carriers[name];
    const message = await messageOf(job, action, this.#needs);
    if (carrier === undefined || message === undefined) return;
    if (this.place !== name && !hasPlace(name)) {
      this.#roomAt = now() + PLACE_PAUSE_MS;
      return;
    }
    this.place = name;
    this.#asked = true;
    const begunAt = now();
    const leaving = { jobId: job.id, carrier: name, recipients, caps };
    const segments = carrier.segments(message);
    let ids: number[] | undefined;
    let broken: unknown;
    const mayLeave = async () => {
      const begun = await store
        .beginSends(holder, { ...leaving, segments, now: now() })
        .catch((err: unknown) => {
          broken = err;
          return "lost" as const;
        });
      ids = begun !== "lost" && "ids" in begun ? begun.ids : [];
      if (begun !== "lost" && "freeAt" in begun) {
        this.#roomAt = begun.freeAt;
        this.#capped = true;
      }
      return ids.length > 0;
    };
    const limit = AbortSignal.timeout(Math.min(carrier.tryLimitMs, LONGEST_TRY_MS));
    const signal = AbortSignal.any([cutOff, limit]);
    const ends = await carrier.send(message, recipients, { signal, mayLeave });
    if (broken !== undefined) {
      await noted(() => store.takeBackSends(holder, job.id));
      throw broken;
    }
    // The store said no: nothing went out, and nothing was wrong.
    if (ids?.length === 0) return;
    await this.#noteEnds(
      ends.map((end, index) => {
        const { outcome, providerId } = end;
        // What certainly did not leave costs nothing; what a provider took does, whatever became of it.
        const free = outcome === "unsent" || (outcome === "refused" && providerId === undefined);
        const send = {
          id: ids?.[index],
          carrier: name,
          recipient: recipients[index] ?? "",
          begunAt,
        };
        return { ...this.#ended(send, end), segments: free ? 0 : undefined };
      }),
    );
  }

  /** What failed counts, unless our own stop has cut it off. */
  #ended(
    {
      id,
      carrier,
      recipient,
      begunAt,
    }: Pick<EndOfSend, "id" | "carrier" | "recipient" | "begunAt">,
    { outcome, providerId, notBefore, fault }: SendEnd,
  ): EndOfSend {
    const end = { id, carrier, recipient, begunAt, outcome, providerId, notBefore };
    if (fault === undefined || isReached(outcome) || this.#needs.cutOff.aborted) return end;
    this.faults.push({ refused: outcome === "refused", notBefore, error: fault.error });
    return { ...end, fault };
  }

  async #noteEnds(ends: readonly EndOfSend[]): Promise<void> {
    const { store, holder, now, noted } = this.#needs;
    const sends = await noted(() => store.endSends(holder, this.job.id, ends, now()));
    if (Array.isArray(sends)) this.job.sends = sends;
  }

  async #conclude(action: Exclude<Action, { do: "ask" | "send" }>, c: Case): Promise<Verdict> {
    const { job } = this;
    const { store, holder } = this.#needs;
    const { kind } = subjectOf(job);
    if (action.do === "file") return this.#file(kind);
    if (action.do === "done") return this.#verdict("done");
    if (action.do === "give-up") return this.#verdict("given-up");
    if (kind === "weekly" && isLate(job, c.now)) return this.#verdict("given-up");
    const maySave = kind === "application" && this.#capped && this.faults.length === 0;
    const isMailable =
      c.order.includes("mail") && c.sends.every(({ carrier }) => carrier !== "mail");
    if (!maySave || !isMailable || job.digest !== undefined)
      return this.#verdict("open", action.until);
    const dueAt = digestDueAt(c.now);
    await store.putIntoDigest(holder, job.id, { dueAt, now: c.now });
    return this.#verdict("open", dueAt);
  }

  /** Nothing is configured that could carry it. */
  async #file(kind: string): Promise<Verdict> {
    const { job } = this;
    const { file } = this.#needs.carriers;
    const [application] = job.applications;
    if (kind !== "application" && kind !== "weekly") return this.#verdict("given-up");
    const fault =
      kind === "weekly"
        ? await file.writeSummary(await summaryOf(job, this.#needs))
        : application && (await file.write(application));
    if (fault === undefined) return this.#verdict(kind === "weekly" ? "done" : "filed");
    this.faults.push({ refused: false, error: fault.error });
    const { tries, retryAt } = this.#tries();
    return { state: "open", nextAt: retryAt, tries, retryAt };
  }

  #verdict(state: Verdict["state"], nextAt = 0): Verdict {
    const { tries, retryAt } = this.#tries();
    const soonest = this.#needs.now() + SHORTEST_PAUSE_MS;
    return { state, nextAt: Math.max(nextAt, soonest), tries, retryAt };
  }
}
