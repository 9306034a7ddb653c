/** The rule of the delivery: derives the next action of a job from the attempts. Pure. */
import type { FailoverReason } from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { type AttemptHistory, NEVER, recipientStatus } from "#lib/delivery/recipient-status.ts";
import {
  elapsed,
  FAILOVER_AFTER,
  HANG_DURATION,
  mayCheckStatus,
  nextStatusAt,
} from "#lib/delivery/retry.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import { isDoubtful, isReached } from "#lib/storage/queries/outcomes.ts";

export interface DeliveryState extends AttemptHistory {
  /** The job of this run. The attempts may also belong to another job about the same application. */
  jobId: number;
  /** The channels that may carry the message, the preferred one first. */
  channels: readonly ChannelName[];
  recipients: Readonly<Partial<Record<ChannelName, readonly string[]>>>;
  /** True once this run has checked a status or sent a message. Then it checks no other status. */
  isChecked: boolean;
  /** Channels on which this run has sent, or which have no free slot. */
  tried: ReadonlySet<ChannelName>;
  /** Time since which the preferred channel is full, or has failed for other jobs too. */
  failingSince: number | undefined;
  /** Time at which the job asks for a slot again. */
  slotAt: number | undefined;
  /** Time at which the caps allow the text message that they forbid now. */
  capAt: number | undefined;
}

export type NextAction =
  | { do: "write-file" | "finish" | "give-up" }
  | { do: "check-status"; attempts: Attempt[] }
  | {
      do: "send";
      channel: ChannelName;
      recipients: string[];
      insteadOf: FailoverReason | undefined;
    }
  | { do: "wait"; until: number };

export type ActionOf<Do extends NextAction["do"]> = Extract<NextAction, { do: Do }>;

export function nextAction(state: DeliveryState): NextAction {
  const { channels, now, tried } = state;
  if (channels.length === 0) return { do: hasReached(state) ? "finish" : "write-file" };
  const attempts = state.isChecked ? [] : attemptsToCheck(state);
  if (attempts.length > 0) return { do: "check-status", attempts };
  if (!ownerHasIt(state)) {
    for (const channel of channelsToTry(state).filter((each) => !tried.has(each))) {
      const due = statusesOn(state, channel).filter(({ nextAttemptAt }) => nextAttemptAt <= now);
      const recipients = due.map(({ recipient }) => recipient);
      if (recipients.length > 0)
        return { do: "send", channel, recipients, insteadOf: replacedChannel(channel, state) };
    }
    if (allStatuses(state).some(({ nextAttemptAt }) => nextAttemptAt < NEVER))
      return { do: "wait", until: nextTime(state) };
  }
  if (acceptedAttempts(state).length > 0) return { do: "wait", until: nextTime(state) };
  return { do: hasReached(state) ? "finish" : "give-up" };
}

function replacedChannel(channel: ChannelName, { channels: [preferred], capAt }: DeliveryState) {
  if (channel === preferred) return undefined;
  return preferred === "sms" && capAt !== undefined ? "sms-over-cap" : preferred;
}

function statusesOn(state: DeliveryState, channel: ChannelName) {
  const recipients = state.recipients[channel] ?? [];
  const statuses = recipients.map((to) => recipientStatus(state, channel, to));
  // A recipient that was added to the settings does not get a message that another recipient already has.
  const isLate = hasReached(state) && state.attempts.some((each) => each.channel === channel);
  if (!isLate) return statuses;
  return statuses.map((each) => (each.isAttempted ? each : { ...each, nextAttemptAt: NEVER }));
}

const allStatuses = (state: DeliveryState) =>
  state.channels.flatMap((channel) => statusesOn(state, channel));

/** True if one of these attempts delivered the message, also to a recipient that is no longer configured. */
function hasReached(state: DeliveryState, attempts = state.attempts): boolean {
  return attempts.some((each) => recipientStatus(state, each.channel, each.recipient).hasIt);
}

/** One recipient of another channel is enough; on the preferred channel, each attempted one must have the message. */
function ownerHasIt(state: DeliveryState): boolean {
  const [preferred, ...others] = state.channels;
  if (preferred === undefined || !hasReached(state)) return false;
  const elsewhere = state.attempts.filter(({ channel }) => channel !== preferred);
  // A full-text mail is an attempt of another job. It counts for this job only once this job fails over.
  const counted = elsewhere.filter(({ jobId }) => jobId === state.jobId);
  if (hasReached(state, failsOver(state, preferred) ? elsewhere : counted)) return true;
  // A recipient that rejects the message is waited for only if another channel can reach the owner.
  const isAlone = others.length === 0;
  return statusesOn(state, preferred).every(
    ({ hasIt, isAttempted, needsOtherChannel }) =>
      hasIt || !isAttempted || (isAlone && needsOtherChannel),
  );
}

/** The preferred channel, and the others once it fails over. If it hangs, the others come first. */
function channelsToTry(state: DeliveryState): readonly ChannelName[] {
  const [preferred, ...others] = state.channels;
  if (preferred === undefined || !failsOver(state, preferred)) return state.channels.slice(0, 1);
  const hung = state.attempts.some(
    ({ channel, begunAt, endedAt }) =>
      channel === preferred && endedAt !== undefined && endedAt - begunAt >= HANG_DURATION,
  );
  return hung ? [...others, preferred] : state.channels;
}

function failsOver(state: DeliveryState, preferred: ChannelName): boolean {
  if (state.capAt !== undefined) return true;
  if (statusesOn(state, preferred).some(({ needsOtherChannel }) => needsOtherChannel)) return true;
  const since = failingSince(state);
  return since < NEVER && elapsed(since, state.now) >= FAILOVER_AFTER;
}

function failingSince({ attempts, channels, failingSince: known = NEVER }: DeliveryState): number {
  const failed = attempts.find((each) => each.channel === channels[0] && !isReached(each.outcome));
  return Math.min(failed?.begunAt ?? NEVER, known);
}

function attemptsToCheck(state: DeliveryState): Attempt[] {
  const { now, mayRepeat, recipients, checkable } = state;
  const doubtful = state.attempts.filter(
    (each) =>
      mayRepeat &&
      isDoubtful(each.outcome) &&
      checkable.includes(each.channel) &&
      recipients[each.channel]?.includes(each.recipient),
  );
  return [...acceptedAttempts(state), ...doubtful].filter((each) => mayCheckStatus(each, now));
}

/** Accepted attempts, also those to a number that is no longer configured. */
function acceptedAttempts({ attempts, recipients }: DeliveryState): Attempt[] {
  return attempts.filter((each) => each.outcome === "accepted" && recipients[each.channel]?.length);
}

function nextTime(state: DeliveryState): number {
  const { now, retryAt, slotAt, capAt, channels } = state;
  const attempted = ownerHasIt(state) ? [] : allStatuses(state).filter((each) => each.isAttempted);
  const times = [
    ...acceptedAttempts(state).map(({ begunAt }) => nextStatusAt(begunAt, now)),
    ...attempted.map(({ nextAttemptAt }) => (nextAttemptAt > now ? nextAttemptAt : retryAt)),
    ...[slotAt, capAt].filter((time) => time !== undefined),
    ...(channels.length > 1 ? [Math.min(failingSince(state), now) + FAILOVER_AFTER] : []),
  ].filter((time) => time > now && time < NEVER);
  return times.length === 0 ? Math.max(retryAt, now) : Math.min(...times);
}
