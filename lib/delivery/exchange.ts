/** What is said to the providers while a job is looked at, and noted at once: messages and questions. */
import type { SendEnd, Tracking } from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Clock } from "#lib/clock.ts";
import type { Action } from "#lib/delivery/decide.ts";
import { FAILOVER_AFTER_MS, isLastLook, isSettled } from "#lib/delivery/retry.ts";
import { messageOf, routesOf } from "#lib/delivery/subject.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { type EndOfSend, isReached, type Send } from "#lib/storage/queries/sends.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/** A carrier without a free place is tried again after this; a place that becomes free wakes the worker earlier. */
const PLACE_PAUSE_MS = 5_000;
/** No conversation holds up the other carrier longer than the failover may take. */
const LONGEST_TRY_MS = FAILOVER_AFTER_MS - 60_000;

export interface ExchangeNeeds {
  store: Store;
  carriers: Carriers;
  caps: SmsCaps;
  /** Names the worker in all that it writes. */
  holder: string;
  now: Clock;
  /** Aborted when a stop has waited long enough. */
  cutOff: AbortSignal;
  /** Runs a note until the store takes it. */
  noted<Result>(note: () => Promise<Result>): Promise<Result | undefined>;
  /** Conversations side by side: each carrier has its own places, so that a mail that hangs holds up no text message. */
  hasPlace(carrier: Carrier): boolean;
}

export class Exchange {
  /** The carrier on which it has a place. */
  place: Carrier | undefined;
  /** A provider was asked, or a message left just now. */
  asked = false;
  /** When a carrier without room is tried again; `capped`: there is no room under the caps. */
  roomAt: number | undefined;
  capped = false;
  /** What has failed. */
  readonly faults: { refused: boolean; notBefore?: number | undefined; error: string }[] = [];
  readonly #job: Job;
  readonly #needs: ExchangeNeeds;

  constructor(job: Job, needs: ExchangeNeeds, place: Carrier | undefined) {
    this.#job = job;
    this.#needs = needs;
    this.place = place;
  }

  async ask(sends: readonly Send[]): Promise<void> {
    const { now, cutOff, carriers } = this.#needs;
    this.asked = true;
    const hasOther = routesOf(this.#job, carriers).order.length > 1;
    const ends: EndOfSend[] = [];
    for (const send of sends) {
      const { tracking, tryLimitMs = 0 } = carriers[send.carrier] ?? {};
      const signal = AbortSignal.any([cutOff, AbortSignal.timeout(tryLimitMs)]);
      const end = await answerAbout(send, this.#job, { tracking, hasOther, now, signal });
      if (end) ends.push(this.#ended(send, end));
    }
    if (ends.length > 0) await this.#noteEnds(ends);
  }

  /** One message leaves: noted before, and its end at once. */
  async send(action: Extract<Action, { do: "send" }>): Promise<void> {
    const job = this.#job;
    const { store, carriers, caps, holder, now, cutOff, noted, hasPlace } = this.#needs;
    const { carrier: name, recipients } = action;
    const carrier = carriers[name];
    const message = await messageOf(job, action, this.#needs);
    if (carrier === undefined || message === undefined) return;
    if (this.place !== name && !hasPlace(name)) {
      this.roomAt = now() + PLACE_PAUSE_MS;
      return;
    }
    this.place = name;
    this.asked = true;
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
        this.roomAt = begun.freeAt;
        this.capped = true;
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
    const sends = await noted(() => store.endSends(holder, this.#job.id, ends, now()));
    if (Array.isArray(sends)) this.#job.sends = sends;
  }
}

interface Terms {
  /** Absent where the provider cannot be asked. */
  tracking: Tracking | undefined;
  /** Whether another carrier could bring it. */
  hasOther: boolean;
  now: Clock;
  signal: AbortSignal;
}

/** Undefined: nothing is known that was not known before. */
function answerAbout(send: Send, job: Job, terms: Terms): Promise<SendEnd | undefined> {
  return send.outcome === "accepted" ? followed(send, terms) : found(send, job, terms);
}

/** Once the time is over, a message that left its provider has arrived; of another one the other carrier tells. */
async function followed(
  send: Send,
  { tracking, hasOther, now, signal }: Terms,
): Promise<SendEnd | undefined> {
  const { providerId } = send;
  const answer: SendEnd =
    tracking && providerId !== undefined
      ? await tracking.follow(providerId, signal)
      : { outcome: "unknown" };
  const { outcome, passedOn = false } = answer;
  // It was taken, and is paid for.
  if (outcome === "delivered" || outcome === "refused") return { ...answer, providerId };
  const answers = outcome === "accepted";
  if (!isSettled(send, now(), hasOther || answers)) return undefined;
  return { outcome: (answers && passedOn) || !hasOther ? "delivered" : "refused" };
}

/** A message that is not there is looked for again: a provider's list may lag behind what it took. */
async function found(
  send: Send,
  { applications: [application], sends }: Job,
  { tracking, now, signal }: Terms,
): Promise<SendEnd | undefined> {
  if (tracking === undefined || application === undefined) return undefined;
  const { recipient, begunAt: since } = send;
  const { applicationId } = application;
  const exceptIds = sends.flatMap(({ providerId }) => providerId ?? []);
  const answer = await tracking.find({ applicationId, recipient, since, exceptIds }, signal);
  if (answer.outcome !== "absent") return answer;
  // It counts as a copy and under the caps all the same: it may turn up yet.
  return isLastLook(send, now()) ? { outcome: "unsent" } : undefined;
}
