/** One run of a job: asks for the next action and does it, until nothing more can be done now. */
import { SECOND } from "#lib/application/durations.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import { currentAlarms } from "#lib/delivery/alarms.ts";
import { checkStatus, sendMessage } from "#lib/delivery/attempts.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { judgeEvidence } from "#lib/delivery/faults.ts";
import { type DeliveryState, type NextAction, nextAction } from "#lib/delivery/next-action.ts";
import { buildMessage, channelsForJob, fullTextJobs } from "#lib/delivery/owner-message.ts";
import {
  attemptTimeout,
  isDue,
  limitPlannedTime,
  MAX_TRIES,
  nextTryAt,
} from "#lib/delivery/retry.ts";
import { isTooLateToSend } from "#lib/delivery/weekly.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Attempt, ClosedAttempt } from "#lib/storage/queries/attempts.ts";
import type { Job, RunResult } from "#lib/storage/queries/jobs.ts";
import { isReached } from "#lib/storage/queries/outcomes.ts";

const SHORTEST_PAUSE = SECOND;
/** The time until a job asks for a slot again. A slot that becomes free wakes the worker earlier. */
const SLOT_PAUSE = 5 * SECOND;

export class JobRun {
  readonly job: Job;
  /** The channel whose slot this run takes. Undefined while no channel is configured. */
  slotChannel: ChannelName | undefined;
  readonly faults: { isRejected: boolean; notBefore?: number | undefined; error: string }[] = [];
  readonly #deps: DeliveryDeps;
  readonly #tried: Set<ChannelName>;
  readonly #isTryDue: boolean;
  readonly #random: number;
  readonly #waitingSince: number | undefined;
  #hasActed = false;
  #hasReached = false;
  #slotAt: number | undefined;
  #capAt: number | undefined;

  constructor(job: Job, deps: DeliveryDeps, slotChannel: ChannelName | undefined) {
    const { preferredChannel, enqueuedAt } = job;
    this.job = job;
    this.slotChannel = slotChannel;
    this.#deps = deps;
    this.#isTryDue = isDue(job.retryAt, deps.now());
    this.#random = deps.random();
    // The worker gives a job as old as FAILOVER_AFTER a slot of another channel if the preferred channel is full.
    const isFull = deps.channels[preferredChannel] && slotChannel !== preferredChannel;
    this.#tried = new Set(isFull ? [preferredChannel] : []);
    this.#waitingSince = isFull ? enqueuedAt : undefined;
  }

  /** Never throws. */
  async run(): Promise<void> {
    const { store, holder, now, recordUntilStored } = this.#deps;
    const result = await this.#work().catch((err: unknown) => {
      if (!(err instanceof StorageUnavailable)) log.error({ err }, "a run of a job failed");
      this.faults.push({ isRejected: false, error: "the run of the job failed" });
      return this.#resultOf("open");
    });
    await recordUntilStored(() => store.saveRun(holder, this.job, result, now()));
    this.#log(result);
  }

  async #work(): Promise<RunResult> {
    const { job } = this;
    if (job.kind === "alarm") {
      const current = (await currentAlarms(this.#deps)).find(({ topic }) => topic === job.topic);
      if (current === undefined) return this.#resultOf("done");
      job.text = current.text;
    }
    for (;;) {
      const state = await this.#readState();
      const action = nextAction(state);
      if (action.do === "check-status") await this.#checkStatus(action.attempts, state);
      else if (action.do === "send") await this.#send(action);
      else if (action.do === "write-file") return this.#writeFile();
      else if (action.do === "wait" && !isTooLateToSend(job, state.now))
        return this.#resultOf("open", action.until);
      else return this.#resultOf(action.do === "finish" ? "done" : "given-up");
    }
  }

  async #readState(): Promise<DeliveryState> {
    const { job } = this;
    const { now, steadySince, channels } = this.#deps;
    const { channels: order, recipients } = channelsForJob(job, channels);
    const { tries, retryAt } = this.#countTries();
    const isFullText = job.kind === "full-text";
    return {
      jobId: job.id,
      channels: order,
      recipients,
      now: now(),
      steadySince: steadySince(),
      retryAt,
      isExhausted: tries >= MAX_TRIES,
      checkable: CHANNEL_NAMES.filter((name) => channels[name]?.statusChecks),
      // A full-text job needs the whole application, so the shortened text messages do not count for it.
      attempts: job.attempts.filter(({ channel }) => !isFullText || channel === "mail"),
      isTryDue: this.#isTryDue,
      hasActed: this.#hasActed,
      tried: this.#tried,
      slotAt: this.#slotAt,
      capAt: this.#capAt,
      blockedSince: this.#waitingSince ?? (await this.#failingSince(order[0])),
      mayRepeat: job.kind === "application" || isFullText,
    };
  }

  async #failingSince(preferred: ChannelName | undefined): Promise<number | undefined> {
    const failed = this.job.attempts.filter(({ outcome }) => !isReached(outcome));
    if (!failed.some(({ channel }) => channel === preferred) || preferred === undefined) return;
    const evidence = await this.#deps.store.readEvidence(preferred);
    return judgeEvidence(preferred, [], evidence)[0]?.since;
  }

  /** A run whose send was due counts as one try if anything failed, however many attempts failed. */
  #countTries(): Pick<RunResult, "tries" | "retryAt"> {
    const { job, faults } = this;
    const isFailedTry = this.#isTryDue && faults.length > 0;
    const tries = (this.#hasReached ? 0 : job.tries) + (isFailedTry ? 1 : 0);
    const notBefore = Math.max(0, ...faults.map((fault) => fault.notBefore ?? 0));
    const isRejected = faults.length > 0 && faults.every((fault) => fault.isRejected);
    const now = this.#deps.now();
    const failed = { tries, isRejected, notBefore, now, random: this.#random };
    const planned = isFailedTry ? nextTryAt(failed) : Math.max(job.retryAt, notBefore);
    return { tries, retryAt: limitPlannedTime(planned, now) };
  }

  async #checkStatus(attempts: readonly Attempt[], { channels }: DeliveryState): Promise<void> {
    this.#hasActed = true;
    const hasOther = channels.length > 1;
    for (const attempt of attempts) {
      const signal = this.#attemptSignal(attempt.channel);
      const closed = await checkStatus(attempt, this.job, { hasOther, signal }, this.#deps);
      if (closed) await this.#record([closed]);
    }
  }

  async #send(action: Extract<NextAction, { do: "send" }>): Promise<void> {
    const { channel, recipients, insteadOf } = action;
    this.#tried.add(channel);
    const message = await buildMessage(this.job, this.#deps, insteadOf);
    if (message === undefined) return;
    if (this.slotChannel !== channel && !this.#deps.hasFreeSlot(channel)) {
      this.#slotAt = this.#deps.now() + SLOT_PAUSE;
      return;
    }
    this.slotChannel = channel;
    this.#hasActed = true;
    const signal = this.#attemptSignal(channel);
    const request = { job: this.job, message, channel, recipients, signal };
    const { closed, capAt } = await sendMessage(request, this.#deps);
    this.#capAt = capAt ?? this.#capAt;
    await this.#record(closed);
  }

  #attemptSignal(channel: ChannelName): AbortSignal {
    const { channels, cutOff } = this.#deps;
    const { timeoutMs = 0 } = channels[channel] ?? {};
    return AbortSignal.any([cutOff, AbortSignal.timeout(attemptTimeout({ timeoutMs }))]);
  }

  async #record(ended: readonly ClosedAttempt[]): Promise<void> {
    if (ended.length === 0) return;
    const { store, holder, now, recordUntilStored, channels, cutOff } = this.#deps;
    // An attempt that our own stop has aborted is not a failure.
    const closed = cutOff.aborted ? ended.map((each) => ({ ...each, fault: undefined })) : ended;
    for (const { outcome, fault, notBefore } of closed) {
      if (isReached(outcome)) this.#hasReached = true;
      const isRejected = outcome === "rejected";
      if (fault) this.faults.push({ isRejected, notBefore, error: fault.error });
    }
    const followUps = fullTextJobs(this.job, closed, channels);
    const attempts = await recordUntilStored(() =>
      store.recordOutcomes(holder, this.job, closed, followUps, now()),
    );
    this.job.attempts = attempts ?? this.job.attempts;
  }

  async #writeFile(): Promise<RunResult> {
    const { kind } = this.job;
    if (kind !== "application" && kind !== "weekly-summary") return this.#resultOf("given-up");
    const message = await buildMessage(this.job, this.#deps);
    const fault = message && (await this.#deps.channels.writeFile(message));
    if (!fault) return this.#resultOf("filed");
    this.faults.push({ isRejected: false, error: fault.error });
    return this.#resultOf("open");
  }

  #resultOf(state: RunResult["state"], nextAt?: number): RunResult {
    const { tries, retryAt } = this.#countTries();
    const now = this.#deps.now();
    const next = Math.max(nextAt ?? retryAt, now + SHORTEST_PAUSE);
    return { state, tries, retryAt, nextAt: limitPlannedTime(next, now) };
  }

  #log({ state, tries, nextAt }: RunResult): void {
    const { kind, applicationId, attempts } = this.job;
    const { channel, outcome } = attempts.at(-1) ?? {};
    const hasFailed = this.faults.length > 0;
    const errors = hasFailed ? this.faults.map(({ error }) => error) : undefined;
    const open = `${hasFailed ? "failed" : state}, next run at ${new Date(nextAt).toISOString()}`;
    log[state === "given-up" || hasFailed ? "warn" : "info"](
      { kind, applicationId, state, tries, channel, outcome, errors },
      `delivery ${state === "open" ? open : state}`,
    );
  }
}
