/** The rule of a message: what becomes of it after an answer of its channel. Pure. */
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import {
  elapsedMs,
  LONE_CHANNEL_STATUS_DEADLINE_MS,
  MAX_TRIES,
  nextAttemptAt,
  nextCheckAt,
  REPEAT_MAIL_AFTER_MS,
  SEARCH_PAUSES_MS,
  STATUS_DEADLINE_MS,
  scheduleUndelivered,
} from "#lib/delivery/retry.ts";
import type { Answer, Fault, SearchAnswer } from "#lib/storage/outcomes.ts";
import type { Message, MessageChange } from "#lib/storage/tables.ts";

/** Limit of the copies of one notice that a recipient may have. A text that is reported as undelivered is no copy. */
export const MAX_COPIES = 2;

export interface RuleTerms {
  now: number;
  random: number;
  /** The provider can be asked what became of a message. */
  isCheckable: boolean;
  /** Another channel could carry the notice. */
  hasOtherChannel: boolean;
  /** False for alarms, summaries and tests: what may have arrived is not sent again. */
  mayRepeat: boolean;
}

/**
 * The next state of a message. `message` is its row before the answer, with the begun copy counted.
 *
 * | answer                 | to a copy (`sending`) | to a search (`unsure`) | to a check (`accepted`) |
 * |------------------------|-----------------------|------------------------|-------------------------|
 * | delivered              | delivered             | delivered              | delivered               |
 * | accepted               | accepted              | accepted               | see `awaitStatus`       |
 * | rejected               | refused, a copy less  | refused                | refused                 |
 * | rejected once accepted | refused, a copy less  | refused, a copy less   | refused, a copy less    |
 * | not-sent               | waiting, a copy less  | unsure                 | accepted                |
 * | unknown                | unsure                | unsure                 | see `awaitStatus`       |
 * | unknown, not to repeat | delivered             | delivered              | see `awaitStatus`       |
 * | absent                 |                       | unsure, or waiting     |                         |
 *
 * After the last search an absent text is waiting, a copy less. Instead of waiting it is refused, if an earlier copy is
 * in doubt. Without a try left a message is ended.
 */
export const afterAnswer = (
  message: Message,
  answer: SearchAnswer,
  terms: RuleTerms,
): MessageChange =>
  answer.outcome === "absent"
    ? searchAgain(message, terms)
    : chooseRule(message, answer, terms)(message, answer, terms);

function chooseRule({ state }: Message, { outcome, providerId }: Answer, { mayRepeat }: RuleTerms) {
  const wasAccepted = state === "accepted";
  switch (outcome) {
    case "delivered":
      return deliver;
    case "accepted":
      return wasAccepted ? awaitStatus : accept;
    case "rejected":
      return providerId === undefined ? refuse : refuseUndelivered;
    case "not-sent":
      return retry;
    case "unknown":
      if (wasAccepted) return awaitStatus;
      return mayRepeat ? searchOrRepeat : assumeArrived;
  }
}

/** The provider's list is updated late, so only the last search proves that the message is absent. */
function searchAgain({ searches, copies }: Message, { now }: RuleTerms): MessageChange {
  const pause = SEARCH_PAUSES_MS[searches + 1];
  if (pause !== undefined) return { searches: searches + 1, nextAt: now + pause };
  return { state: copies > 1 ? "refused" : "waiting", copies: copies - 1, nextAt: now };
}

const deliver = (message: Message, answer: Answer, { now }: RuleTerms): MessageChange => ({
  ...answerColumns(message, answer, now),
  ...recoveredColumns(message, now),
  state: "delivered",
});

function accept(message: Message, answer: Answer, { now }: RuleTerms): MessageChange {
  const begunAt = message.begunAt ?? now;
  // An acceptance proves that the channel takes messages, so a fault from before any acceptance ends. It does not prove
  // that the recipient can be reached: a fault of the recipient, or after an acceptance, stays until a delivery.
  const endsFault = message.providerId === undefined && message.about !== "recipient";
  const fault = endsFault ? recoveredColumns(message, now) : {};
  const nextAt = nextCheckAt(begunAt, now);
  return { ...answerColumns(message, answer, now), ...fault, state: "accepted", nextAt };
}

/**
 * What becomes of an accepted message whose provider gives no final status:
 *
 * | last heard of it | with another channel     | with none              |
 * | on the network   | delivered after 30 min   | delivered after 30 min |
 * | at the provider  | refused after 30 min     | refused after a day    |
 * | no answer        | refused after 30 min     | ended after a day      |
 *
 * A message without a copy or a try left is ended.
 */
function awaitStatus(message: Message, answer: Answer, terms: RuleTerms): MessageChange {
  const { now, hasOtherChannel } = terms;
  const begunAt = message.begunAt ?? now;
  const age = elapsedMs(begunAt, now);
  const isOnNetwork = answer.outcome === "accepted" && answer.hasLeftProvider === true;
  const deadline =
    isOnNetwork || hasOtherChannel ? STATUS_DEADLINE_MS : LONE_CHANNEL_STATUS_DEADLINE_MS;
  if (age < deadline) return { nextAt: nextCheckAt(begunAt, now) };
  if (isOnNetwork) return deliver(message, answer, terms);
  const isStuck = answer.outcome === "accepted";
  const isLost = !isStuck && !hasOtherChannel;
  const { tries, nextAt } = scheduleUndelivered(message.tries, now);
  const state = isLost || message.copies >= MAX_COPIES || tries >= MAX_TRIES ? "ended" : "refused";
  const { providerId } = message;
  const reason = isStuck
    ? answerColumns(message, { outcome: "rejected", providerId, fault: STUCK_AT_PROVIDER }, now)
    : { ...answerColumns(message, { outcome: "unknown", providerId }, now), ...STATUS_UNKNOWN };
  return { ...reason, tries, nextAt, state };
}

/** The provider reports that the message did not arrive. The message is no copy any more, although it is paid for. */
function refuseUndelivered(message: Message, answer: Answer, { now }: RuleTerms): MessageChange {
  const { tries, nextAt } = scheduleUndelivered(message.tries, now);
  const fault = answer.fault && judgeFault(message, answer.fault);
  const columns = answerColumns(message, { ...answer, fault }, now);
  // Only a fault of the channel counts against the channel. A phone that is off does not.
  const recoveredAt = fault?.about === "channel" ? null : now;
  const state = tries >= MAX_TRIES ? "ended" : "refused";
  const copies = Math.max(message.copies - 1, 0);
  return { ...columns, recoveredAt, copies, tries, nextAt, state };
}

/** If other messages have arrived since the last failure, the message itself is at fault, not its channel. */
function judgeFault({ about, failingSince, recoveredAt }: Message, fault: Fault): Fault {
  const hasChannelWorked = about === "channel" && failingSince && recoveredAt;
  return fault.about === "channel" && hasChannelWorked ? { ...fault, about: "message" } : fault;
}

function refuse(message: Message, answer: Answer, terms: RuleTerms): MessageChange {
  const { now, random } = terms;
  const tries = message.tries + 1;
  const { notBefore = 0 } = answer;
  const nextAt = nextAttemptAt({ tries, isRejected: true, notBefore, now, random });
  const state = tries >= MAX_TRIES ? "ended" : "refused";
  return {
    ...answerColumns(message, answer, now),
    copies: copiesBeforeAttempt(message),
    tries,
    nextAt,
    state,
  };
}

/**
 * Nothing was sent. A fault counts as a try. An attempt that our own stop aborted has no fault. If an earlier copy is
 * in doubt, the message becomes `refused`, so that the other channel sends at once.
 */
function retry(message: Message, answer: Answer, { now, random }: RuleTerms): MessageChange {
  const { fault, notBefore = 0 } = answer;
  const copies = copiesBeforeAttempt(message);
  const unsent = copies > 0 ? "refused" : "waiting";
  const state = message.state === "sending" ? unsent : message.state;
  if (fault === undefined) return { state, copies, nextAt: now + SECOND };
  const tries = message.tries + 1;
  const nextAt = nextAttemptAt({ tries, isRejected: false, notBefore, now, random });
  const hasNoTryLeft = tries >= MAX_TRIES;
  return {
    ...answerColumns(message, answer, now),
    copies,
    tries,
    nextAt,
    state: hasNoTryLeft ? "ended" : state,
  };
}

/** A text is searched for before another copy; a mail, whose server cannot be asked, is repeated once. */
function searchOrRepeat(message: Message, answer: Answer, terms: RuleTerms): MessageChange {
  const { now, random, isCheckable } = terms;
  const tries = message.tries + (answer.fault ? 1 : 0);
  const { searches, copies, begunAt = now } = message;
  const searchAt = now + (SEARCH_PAUSES_MS[searches] ?? MINUTE);
  const failed = { tries, isRejected: false, notBefore: 0, now, random };
  // A search that failed is repeated after growing pauses. The first search after a copy is not delayed by them.
  const hasSearchFailed = answer.fault !== undefined && message.state !== "sending";
  const nextTry = hasSearchFailed ? nextAttemptAt(failed) : now;
  const nextAt = isCheckable
    ? Math.max(searchAt, nextTry)
    : Math.max(begunAt + REPEAT_MAIL_AFTER_MS, now);
  const hasNoTryLeft = tries >= MAX_TRIES || (copies >= MAX_COPIES && !isCheckable);
  return {
    ...answerColumns(message, answer, now),
    tries,
    nextAt,
    state: hasNoTryLeft ? "ended" : "unsure",
  };
}

/** An alarm, a summary or a test that may have arrived counts as delivered. Its fault stays as evidence. */
const assumeArrived = (message: Message, answer: Answer, { now }: RuleTerms): MessageChange => ({
  ...answerColumns(message, answer, now),
  state: "delivered",
});

/** Leaves out the copy that this attempt began, because the provider did not take it. */
const copiesBeforeAttempt = ({ state, copies }: Message) =>
  state === "sending" ? copies - 1 : copies;

function answerColumns(
  message: Message,
  { outcome, providerId, notBefore, fault }: Answer,
  now: number,
): MessageChange {
  const { earlierIds, providerId: lastId } = message;
  const isSame = lastId === undefined || lastId === providerId;
  const begunAt = message.state === "sending" ? message.begunAt : undefined;
  const failingSince = message.failingSince ?? begunAt ?? now;
  return {
    outcome,
    answeredAt: now,
    notBefore: notBefore ?? 0,
    providerId: providerId ?? null,
    ...(isSame ? {} : { earlierIds: `${earlierIds} ${lastId}` }),
    ...(fault && { ...fault, failingSince, recoveredAt: null }),
  };
}

/** Clears a fault, whatever it was about. Only the time since which the channel works is left. */
function recoveredColumns({ about }: Message, now: number): MessageChange {
  const left = about ? ({ about: "channel", recoveredAt: now } as const) : {};
  return { error: null, advice: null, failingSince: null, ...left };
}

const STUCK_AT_PROVIDER: Fault = {
  error: "the provider has accepted the message, and has not sent it",
  advice:
    "문자 회사가 받은 문자를 내보내지 못하고 있습니다. 문자 서비스의 계정 상태와 장애 공지를 확인해 주세요.",
  about: "channel",
};
/** Without `about`, because an unknown status is no evidence against the channel: the message may have arrived. */
const STATUS_UNKNOWN = {
  error: "the provider has accepted the message, and does not say what became of it",
  advice:
    "문자 회사에 물어볼 수 없어 문자가 도착했는지 알 수 없습니다. 휴대폰에서 확인하고, 오지 않았으면 신청자에게 연락해 주세요.",
};
