/** What is said to the providers while a job is looked at, and noted at once: messages and questions. */
import type { SendEnd } from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Action } from "#lib/delivery/decide.ts";
import { FAILOVER_AFTER_MS, isLastLook, isSettled } from "#lib/delivery/retry.ts";
import { messageOf } from "#lib/delivery/subject.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { type EndOfSend, isReached, type Send } from "#lib/storage/queries/sends.ts";
import type { Store } from "#lib/storage/store.ts";
import type { Carrier } from "#lib/storage/tables.ts";

/** A carrier without a free place is tried again after this; a place that becomes free wakes the worker earlier. */
const PLACE_PAUSE_MS = 5_000;
/** No conversation holds up the other carrier longer than the failover may take. */
const LONGEST_TRY_MS = FAILOVER_AFTER_MS - 60_000;

export interface LookNeeds {
  store: Store;
  carriers: Carriers;
  caps: SmsCaps;
  /** Names the worker in all that it writes. */
  holder: string;
  now: () => number;
  random: () => number;
  /** Aborted when a stop has waited long enough. */
  cutOff: AbortSignal;
  /** Runs a note until the store takes it. */
  noted<Result>(note: () => Promise<Result>): Promise<Result | undefined>;
  /** Conversations side by side: each carrier has its own places, so that a mail that hangs holds up no text message. */
  hasPlace(carrier: Carrier): boolean;
}

type SendAction = Extract<Action, { do: "send" }>;

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
  readonly #needs: LookNeeds;

  constructor(job: Job, needs: LookNeeds, place: Carrier | undefined) {
    this.#job = job;
    this.#needs = needs;
    this.place = place;
  }

  /** `hasOther`: another carrier could bring it. */
  async ask(sends: readonly Send[], hasOther: boolean): Promise<void> {
    this.asked = true;
    const ends: EndOfSend[] = [];
    for (const send of sends) {
      const end =
        send.outcome === "accepted" ? await this.#follow(send, hasOther) : await this.#find(send);
      if (end) ends.push(this.#ended(send, end));
    }
    if (ends.length > 0) await this.#noteEnds(ends);
  }

  /** Undefined: nothing is known that was not known before. */
  async #follow(send: Send, hasOther: boolean): Promise<SendEnd | undefined> {
    const { carriers, now } = this.#needs;
    const { carrier, providerId = "" } = send;
    const answer = await carriers[carrier]?.tracking?.follow(providerId, this.#limit(carrier));
    const { outcome, passedOn = false } = answer ?? {};
    // It was taken, and is paid for.
    if (outcome === "delivered" || outcome === "refused") return { ...answer, outcome, providerId };
    const answers = outcome === "accepted";
    if (!isSettled(send.begunAt, now(), hasOther || answers)) return undefined;
    // Once the time is over, what left its provider has arrived; of another one the other carrier tells.
    return { outcome: (answers && passedOn) || !hasOther ? "delivered" : "refused" };
  }

  /** A message that is not there is looked for again: a provider's list may lag behind what it took. */
  async #find(send: Send): Promise<SendEnd | undefined> {
    const { sends, applications } = this.#job;
    const { carriers, now } = this.#needs;
    const { carrier, recipient, begunAt: since } = send;
    const { applicationId = "" } = applications[0] ?? {};
    const exceptIds = sends.flatMap(({ providerId }) => providerId ?? []);
    const sought = { applicationId, recipient, since, exceptIds };
    const answer = await carriers[carrier]?.tracking?.find(sought, this.#limit(carrier));
    if (answer?.outcome !== "absent") return answer;
    // It counts as a copy and under the caps all the same: it may turn up yet.
    return isLastLook(since, now()) ? { outcome: "unsent" } : undefined;
  }

  /** One message leaves: noted before, and its end at once. */
  async send(action: SendAction): Promise<void> {
    const { store, carriers, holder, now, noted, hasPlace } = this.#needs;
    const { carrier: name, recipients } = action;
    const carrier = carriers[name];
    const message = await messageOf(this.#job, action, this.#needs);
    if (carrier === undefined || message === undefined) return;
    if (this.place !== name && !hasPlace(name)) {
      this.roomAt = now() + PLACE_PAUSE_MS;
      return;
    }
    this.place = name;
    this.asked = true;
    const begunAt = now();
    let ids: number[] | undefined;
    let broken: unknown;
    const mayLeave = async () => {
      ids = await this.#begin(action, carrier.segments(message)).catch((err: unknown) => {
        broken = err;
        return [];
      });
      return ids.length > 0;
    };
    const ends = await carrier.send(message, recipients, { signal: this.#limit(name), mayLeave });
    if (broken !== undefined) {
      await noted(() => store.takeBackSends(holder, this.#job.id));
      throw broken;
    }
    // The store said no: nothing went out, and nothing was wrong.
    if (ids?.length === 0) return;
    const ended = ends.map((end, index) => {
      const { outcome, providerId } = end;
      // What certainly did not leave costs nothing; what a provider took does, whatever became of it.
      const free = outcome === "unsent" || (outcome === "refused" && providerId === undefined);
      const recipient = recipients[index] ?? "";
      const begun = { id: ids?.[index], carrier: name, recipient, begunAt };
      return { ...this.#ended(begun, end), segments: free ? 0 : undefined };
    });
    await this.#noteEnds(ended);
  }

  /** Notes that it is about to leave; none where it may not. */
  async #begin({ carrier, recipients }: SendAction, segments: number): Promise<number[]> {
    const { store, caps, holder, now } = this.#needs;
    const leaving = { jobId: this.#job.id, carrier, recipients, segments, caps, now: now() };
    const begun = await store.beginSends(holder, leaving);
    if (begun === "lost") return [];
    if ("ids" in begun) return begun.ids;
    this.roomAt = begun.freeAt;
    this.capped = true;
    return [];
  }

  #limit(carrier: Carrier): AbortSignal {
    const { carriers, cutOff } = this.#needs;
    const { tryLimitMs = 0 } = carriers[carrier] ?? {};
    const limit = AbortSignal.timeout(Math.min(tryLimitMs, LONGEST_TRY_MS));
    return AbortSignal.any([cutOff, limit]);
  }

  /** What failed counts, unless our own stop has cut it off. */
  #ended(send: Omit<EndOfSend, "outcome">, { fault, ...end }: SendEnd): EndOfSend {
    const { id, carrier, recipient, begunAt } = send;
    const ended = { id, carrier, recipient, begunAt, ...end };
    if (fault === undefined || isReached(end.outcome) || this.#needs.cutOff.aborted) return ended;
    const { outcome, notBefore } = end;
    this.faults.push({ refused: outcome === "refused", notBefore, error: fault.error });
    return { ...ended, fault };
  }

  async #noteEnds(ends: readonly EndOfSend[]): Promise<void> {
    const { store, holder, now, noted } = this.#needs;
    const sends = await noted(() => store.endSends(holder, this.#job.id, ends, now()));
    if (Array.isArray(sends)) this.#job.sends = sends;
  }
}
