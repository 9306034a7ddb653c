/** What is said to the providers while a job is looked at, and noted at once: messages and questions. */
import type { AttemptResult } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { Action } from "#lib/delivery/decide.ts";
import { FAILOVER_AFTER_MS, isLastLook, isSettled } from "#lib/delivery/retry.ts";
import { messageOf } from "#lib/delivery/subject.ts";
import { type Attempt, type ClosedAttempt, isReached } from "#lib/storage/queries/attempts.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import type { Store } from "#lib/storage/store.ts";
import type { ChannelName } from "#lib/storage/tables.ts";

/** A channel without a free place is tried again after this; a place that becomes free wakes the worker earlier. */
const PLACE_PAUSE_MS = 5_000;
/** No conversation holds up the other channel longer than the failover may take. */
const LONGEST_TRY_MS = FAILOVER_AFTER_MS - 60_000;

export interface LookNeeds {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  /** Names the worker in all that it writes. */
  holder: string;
  now: () => number;
  random: () => number;
  /** Aborted when a stop has waited long enough. */
  cutOff: AbortSignal;
  /** Runs a note until the store takes it. */
  noted<Result>(note: () => Promise<Result>): Promise<Result | undefined>;
  /** Conversations side by side: each channel has its own places, so that a mail that hangs holds up no text message. */
  hasPlace(channel: ChannelName): boolean;
}

type SendAction = Extract<Action, { do: "send" }>;

export class Exchange {
  /** The channel on which it has a place. */
  place: ChannelName | undefined;
  /** A provider was asked, or a message left just now. */
  asked = false;
  /** When a channel without room is tried again; `capped`: there is no room under the caps. */
  roomAt: number | undefined;
  capped = false;
  /** What has failed. */
  readonly faults: { refused: boolean; notBefore?: number | undefined; error: string }[] = [];
  readonly #job: Job;
  readonly #needs: LookNeeds;

  constructor(job: Job, needs: LookNeeds, place: ChannelName | undefined) {
    this.#job = job;
    this.#needs = needs;
    this.place = place;
  }

  /** `hasOther`: another channel could bring it. */
  async ask(attempts: readonly Attempt[], hasOther: boolean): Promise<void> {
    this.asked = true;
    const ends: ClosedAttempt[] = [];
    for (const send of attempts) {
      const end =
        send.outcome === "accepted" ? await this.#follow(send, hasOther) : await this.#find(send);
      if (end) ends.push(this.#ended(send, end));
    }
    if (ends.length > 0) await this.#noteEnds(ends);
  }

  /** Undefined: nothing is known that was not known before. */
  async #follow(send: Attempt, hasOther: boolean): Promise<AttemptResult | undefined> {
    const { channels, now } = this.#needs;
    const { channel, providerId = "" } = send;
    const answer = await channels[channel]?.statusChecks?.fetchStatus(
      providerId,
      this.#limit(channel),
    );
    const { outcome, hasLeftProvider = false } = answer ?? {};
    // It was taken, and is paid for.
    if (outcome === "delivered" || outcome === "rejected")
      return { ...answer, outcome, providerId };
    const answers = outcome === "accepted";
    if (!isSettled(send.begunAt, now(), hasOther || answers)) return undefined;
    // Once the time is over, what left its provider has arrived; of another one the other channel tells.
    return { outcome: (answers && hasLeftProvider) || !hasOther ? "delivered" : "rejected" };
  }

  /** A message that is not there is looked for again: a provider's list may lag behind what it took. */
  async #find(send: Attempt): Promise<AttemptResult | undefined> {
    const { attempts, applications } = this.#job;
    const { channels, now } = this.#needs;
    const { channel, recipient, begunAt: since } = send;
    const { applicationId = "" } = applications[0] ?? {};
    const exceptIds = attempts.flatMap(({ providerId }) => providerId ?? []);
    const sought = { applicationId, recipient, since, exceptIds };
    const answer = await channels[channel]?.statusChecks?.findMessage(sought, this.#limit(channel));
    if (answer?.outcome !== "absent") return answer;
    // It counts as a copy and under the caps all the same: it may turn up yet.
    return isLastLook(since, now()) ? { outcome: "not-sent" } : undefined;
  }

  /** One message leaves: noted before, and its end at once. */
  async send(action: SendAction): Promise<void> {
    const { store, channels, holder, now, noted, hasPlace } = this.#needs;
    const { channel: name, recipients } = action;
    const channel = channels[name];
    const message = await messageOf(this.#job, action, this.#needs);
    if (channel === undefined || message === undefined) return;
    if (this.place !== name && !hasPlace(name)) {
      this.roomAt = now() + PLACE_PAUSE_MS;
      return;
    }
    this.place = name;
    this.asked = true;
    const begunAt = now();
    let ids: number[] | undefined;
    let broken: unknown;
    const beforeTransmit = async () => {
      ids = await this.#begin(action, channel.segments(message)).catch((err: unknown) => {
        broken = err;
        return [];
      });
      return ids.length > 0;
    };
    const ends = await channel.transmit(message, recipients, {
      signal: this.#limit(name),
      beforeTransmit,
    });
    if (broken !== undefined) {
      await noted(() => store.withdrawAttempts(holder, this.#job.id));
      throw broken;
    }
    // The store said no: nothing went out, and nothing was wrong.
    if (ids?.length === 0) return;
    const ended = ends.map((end, index) => {
      const { outcome, providerId } = end;
      // What certainly did not leave costs nothing; what a provider took does, whatever became of it.
      const free = outcome === "not-sent" || (outcome === "rejected" && providerId === undefined);
      const recipient = recipients[index] ?? "";
      const begun = { id: ids?.[index], channel: name, recipient, begunAt };
      return { ...this.#ended(begun, end), segments: free ? 0 : undefined };
    });
    await this.#noteEnds(ended);
  }

  /** Notes that it is about to leave; none where it may not. */
  async #begin({ channel, recipients }: SendAction, segments: number): Promise<number[]> {
    const { store, caps, holder, now } = this.#needs;
    const leaving = { jobId: this.#job.id, channel, recipients, segments, caps, now: now() };
    const begun = await store.recordAttempts(holder, leaving);
    if (begun === "lost") return [];
    if ("ids" in begun) return begun.ids;
    this.roomAt = begun.freeAt;
    this.capped = true;
    return [];
  }

  #limit(channel: ChannelName): AbortSignal {
    const { channels, cutOff } = this.#needs;
    const { timeoutMs = 0 } = channels[channel] ?? {};
    const limit = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TRY_MS));
    return AbortSignal.any([cutOff, limit]);
  }

  /** What failed counts, unless our own stop has cut it off. */
  #ended(send: Omit<ClosedAttempt, "outcome">, { fault, ...end }: AttemptResult): ClosedAttempt {
    const { id, channel, recipient, begunAt } = send;
    const ended = { id, channel, recipient, begunAt, ...end };
    if (fault === undefined || isReached(end.outcome) || this.#needs.cutOff.aborted) return ended;
    const { outcome, notBefore } = end;
    this.faults.push({ refused: outcome === "rejected", notBefore, error: fault.error });
    return { ...ended, fault };
  }

  async #noteEnds(ends: readonly ClosedAttempt[]): Promise<void> {
    const { store, holder, now, noted } = this.#needs;
    const attempts = await noted(() => store.recordOutcomes(holder, this.#job.id, ends, now()));
    if (Array.isArray(attempts)) this.#job.attempts = attempts;
  }
}
