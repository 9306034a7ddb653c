/** The rule of the delivery: derives the next action of a job from the attempts. Pure. */
import type { FailoverReason } from "#lib/channels/channel.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import {
  CHANNEL_HANGING_AFTER,
  canCheckStatus,
  elapsed,
  FAILOVER_AFTER,
  nextCheckAt,
  nextSmsSearchAt,
  repeatMailAt,
  retryAfterRejectionAt,
} from "#lib/delivery/retry.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import { isDoubtful, isReached } from "#lib/storage/queries/outcomes.ts";

const NEVER = Number.POSITIVE_INFINITY;
export const MAX_COPIES = 2;

export interface DeliveryState {
  /** The job of this run. The attempts may also belong to another job about the same application. */
  jobId: number;
  attempts: readonly Attempt[];
  now: number;
  steadySince: number;
  /** Time of the next try. `isTryDue`: a try was due when this run began. */
  retryAt: number;
  isTryDue: boolean;
  isExhausted: boolean;
  /** Channels whose provider can be asked whether it has a message. */
  checkable: readonly ChannelName[];
  /** False for alarms and summaries, for which an unknown outcome counts as success. */
  mayRepeat: boolean;
  /** The preferred channel comes first. */
  channels: readonly ChannelName[];
  recipients: Readonly<Partial<Record<ChannelName, readonly string[]>>>;
  /** True once this run has checked a status or sent a message: a run checks no status afterwards. */
  hasActed: boolean;
  /** Channels on which this run began to send, even if no message was sent, and a preferred channel that was full. */
  tried: ReadonlySet<ChannelName>;
  /** Time of the enqueuing if the preferred channel is full; else time since which the channel fails for other jobs. */
  blockedSince: number | undefined;
  slotAt: number | undefined;
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

export function nextAction(state: DeliveryState): NextAction {
  const { channels, now, tried } = state;
  if (channels.length === 0) return { do: someoneHasIt(state) ? "finish" : "write-file" };
  const attempts = state.hasActed ? [] : attemptsToCheck(state);
  if (attempts.length > 0) return { do: "check-status", attempts };
  if (!ownerHasIt(state)) {
    for (const channel of channelsToTry(state).filter((each) => !tried.has(each))) {
      const due = statusesOn(state, channel).filter(({ nextAttemptAt }) => nextAttemptAt <= now);
      const recipients = due.map(({ recipient }) => recipient);
      if (recipients.length > 0)
        return { do: "send", channel, recipients, insteadOf: failoverReason(channel, state) };
    }
    if (allStatuses(state).some(({ nextAttemptAt }) => nextAttemptAt < NEVER))
      return { do: "wait", until: nextTime(state) };
  }
  if (acceptedAttempts(state).length > 0) return { do: "wait", until: nextTime(state) };
  return { do: someoneHasIt(state) ? "finish" : "give-up" };
}

function failoverReason(channel: ChannelName, { channels: [preferred], capAt }: DeliveryState) {
  if (channel === preferred) return undefined;
  return preferred === "sms" && capAt !== undefined ? "sms-over-cap" : preferred;
}

function statusesOn(state: DeliveryState, channel: ChannelName) {
  const recipients = state.recipients[channel] ?? [];
  const statuses = recipients.map((to) => recipientStatus(state, channel, to));
  // A recipient that was added to the settings does not get a message that another recipient already has.
  const excludesNew =
    someoneHasIt(state) && state.attempts.some((each) => each.channel === channel);
  if (!excludesNew) return statuses;
  return statuses.map((each) => (each.isAttempted ? each : { ...each, nextAttemptAt: NEVER }));
}

const allStatuses = (state: DeliveryState) =>
  state.channels.flatMap((channel) => statusesOn(state, channel));

/** True if `hasIt` holds for a recipient of these attempts, even for a recipient that is no longer configured. */
function someoneHasIt(state: DeliveryState, attempts = state.attempts): boolean {
  return attempts.some((each) => recipientStatus(state, each.channel, each.recipient).hasIt);
}

/** True if any recipient on another channel, or every recipient attempted on the preferred one, has the message. */
function ownerHasIt(state: DeliveryState): boolean {
  const [preferred, ...others] = state.channels;
  if (preferred === undefined || !someoneHasIt(state)) return false;
  const elsewhere = state.attempts.filter(({ channel }) => channel !== preferred);
  // The full-text mail of another job counts once this job fails over, because that mail has the whole application.
  const counted = elsewhere.filter(({ jobId }) => jobId === state.jobId);
  if (someoneHasIt(state, failsOver(state, preferred) ? elsewhere : counted)) return true;
  // A job with a single channel does not wait for a recipient that rejects what another recipient has.
  const isAlone = others.length === 0;
  return statusesOn(state, preferred).every(
    ({ hasIt, isAttempted, needsOtherChannel }) =>
      hasIt || !isAttempted || (isAlone && needsOtherChannel),
  );
}

/** A failover also tries the other channels: after the preferred channel, or before it if an attempt hung. */
function channelsToTry(state: DeliveryState): readonly ChannelName[] {
  const [preferred, ...others] = state.channels;
  if (preferred === undefined || !failsOver(state, preferred)) return state.channels.slice(0, 1);
  const hung = state.attempts.some(
    ({ channel, begunAt, endedAt }) =>
      channel === preferred && endedAt !== undefined && endedAt - begunAt >= CHANNEL_HANGING_AFTER,
  );
  return hung ? [...others, preferred] : state.channels;
}

function failsOver(state: DeliveryState, preferred: ChannelName): boolean {
  if (state.capAt !== undefined) return true;
  if (statusesOn(state, preferred).some(({ needsOtherChannel }) => needsOtherChannel)) return true;
  const since = failingSince(state);
  return since < NEVER && elapsed(since, state.now) >= FAILOVER_AFTER;
}

function failingSince({ attempts, channels, blockedSince = NEVER }: DeliveryState): number {
  const failed = attempts.find((each) => each.channel === channels[0] && !isReached(each.outcome));
  return Math.min(failed?.begunAt ?? NEVER, blockedSince);
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
  return [...acceptedAttempts(state), ...doubtful].filter((each) => canCheckStatus(each, now));
}

/** Accepted attempts, also to a recipient that is no longer configured. */
function acceptedAttempts({ attempts, recipients }: DeliveryState): Attempt[] {
  return attempts.filter((each) => each.outcome === "accepted" && recipients[each.channel]?.length);
}

function nextTime(state: DeliveryState): number {
  const { now, retryAt, slotAt, capAt, channels } = state;
  const attempted = ownerHasIt(state) ? [] : allStatuses(state).filter((each) => each.isAttempted);
  const times = [
    ...acceptedAttempts(state).map(({ begunAt }) => nextCheckAt(begunAt, now)),
    // An attempt that is due, and that this run could not make, waits for the next try.
    ...attempted.map(({ nextAttemptAt }) => (nextAttemptAt > now ? nextAttemptAt : retryAt)),
    ...[slotAt, capAt].filter((time) => time !== undefined),
    ...(channels.length > 1 ? [Math.min(failingSince(state), now) + FAILOVER_AFTER] : []),
  ].filter((time) => time > now && time < NEVER);
  return times.length === 0 ? Math.max(retryAt, now) : Math.min(...times);
}

/** `hasIt`: the provider has or may have the message, so nothing is repeated. `needsOtherChannel`: another may send. */
function recipientStatus(state: DeliveryState, channel: ChannelName, recipient: string) {
  const { attempts, now, mayRepeat } = state;
  const own = attempts.filter((each) => each.channel === channel && each.recipient === recipient);
  const { outcome } = own.at(-1) ?? {};
  const isAttempted = outcome !== undefined;
  const hasIt = isAttempted && (isReached(outcome) || (isDoubtful(outcome) && !mayRepeat));
  const nextAttemptAt = hasIt ? NEVER : nextAttemptTime(own, state);
  const isRejectedForNow = outcome === "rejected" && nextAttemptAt > now;
  const needsOtherChannel = !hasIt && (isRejectedForNow || nextAttemptAt === NEVER);
  return { recipient, isAttempted, hasIt, needsOtherChannel, nextAttemptAt };
}

/** NEVER: no further attempt. `now + 1`: no attempt in this run. */
function nextAttemptTime(own: readonly Attempt[], state: DeliveryState): number {
  const { now, steadySince, retryAt, isExhausted, checkable } = state;
  const last = own.at(-1);
  if (last === undefined) return now;
  const { channel, begunAt, outcome } = last;
  if (isDoubtful(outcome) && checkable.includes(channel)) {
    // A second message is sent only after a status check that did not find the first message.
    const searchAt = nextSmsSearchAt(begunAt, steadySince, now);
    return isExhausted ? NEVER : (searchAt ?? Math.max(retryAt, now + 1));
  }
  if (own.filter(isCopy).length >= MAX_COPIES) return NEVER;
  if (isDoubtful(outcome)) return repeatMailAt(begunAt, now);
  return isExhausted ? NEVER : retryFailedAt(last, state);
}

/** A message that was sent, may have been sent, or was paid for. */
const isCopy = ({ segments, outcome }: Attempt) =>
  segments > 0 || (outcome !== "not-sent" && outcome !== "rejected");

/** Time of the attempt after a failed attempt: the next try, or now if the cause of the failure is gone. */
function retryFailedAt(last: Attempt, { now, retryAt, isTryDue }: DeliveryState): number {
  const { outcome, about, recovered, segments, notBefore = now, endedAt = last.begunAt } = last;
  const isCharged = segments > 0;
  if (recovered && (!isCharged || about === "channel") && notBefore <= now) return now;
  const allowedAt = outcome === "rejected" ? retryAfterRejectionAt(endedAt, now, isCharged) : now;
  return isTryDue && allowedAt <= now ? now : Math.max(retryAt, allowedAt, now + 1);
}
