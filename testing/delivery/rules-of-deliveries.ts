/** The rules of the delivery of one application. */

import { DAY, MINUTE } from "#lib/application/durations.ts";
import type { ProviderChannel } from "#lib/channels/names.ts";
import { FAILOVER_AFTER_MS, USUAL_ANSWER_TIME_MS } from "#lib/delivery/retry.ts";
import { isIn, NOTICES_UNDER_WAY, type NoticeState } from "#lib/storage/outcomes.ts";
import { SLOTS } from "#testing/delivery/providers.ts";
import { type Rules, ruleMaker } from "#testing/delivery/rules.ts";
import { isInDoubt, isUndelivered, type World } from "#testing/delivery/world.ts";

export interface Delivery {
  applicationId: string;
  preferred: ProviderChannel;
  state: NoticeState;
  /** The latest time at which a pending message to a current recipient is due; now while a conversation hangs. */
  nextAt: number;
}

const isUnderWay = ({ state }: Delivery) => isIn(NOTICES_UNDER_WAY, state);

const brokenIf = ruleMaker<Delivery>();

/** Checked after each action, once nothing more is due. */
export const RULES_AFTER_EACH_ACTION: Rules<Delivery> = {
  "an application is filed if no channel is configured, and only then": brokenIf(
    (delivery, world) => {
      const isFiled = delivery.state === "filed";
      return world.configuredChannels().length > 0
        ? isFiled
        : isUnderWay(delivery) && delivery.state !== "sent";
    },
  ),
  "what somebody has is neither filed nor given up": brokenIf(
    ({ applicationId, state }, world) =>
      (state === "filed" || state === "given-up") &&
      world.reachedMessagesOf(applicationId).length > 0,
  ).exceptAfter("resend"),
  "nothing waits for a channel that has left the settings [66]": brokenIf((delivery, world) => {
    const holders = world.reachedMessagesOf(delivery.applicationId);
    // A long application may still wait: the mail with its full text follows the shortened text message.
    if (world.isLong(delivery.applicationId)) return false;
    const areGone = holders.every(({ channel }) => world.recipients[channel].length === 0);
    return isUnderWay(delivery) && holders.length > 0 && areGone;
  }).exceptAfter("resend"),
  "whatever waits is due within a day": brokenIf(
    ({ state, nextAt }, { now }) => state === "open" && !(nextAt <= now + DAY),
  ),
  "a text in doubt is searched for within three minutes": brokenIf((delivery, world) => {
    const unsearched = world
      .sendsAbout(delivery.applicationId)
      .filter((send) => isInDoubt(send) && !send.isSearched && !send.isSearchRefused)
      .filter(({ channel, recipient }) => channel === "sms" && world.isConfigured(recipient));
    const limit = world.elapsed - 3 * MINUTE;
    return (
      isUnderWay(delivery) && unsearched.some(({ at }) => Math.max(at, world.startedAt) < limit)
    );
  }).exceptAfter("set the clock", "age retries", "resend"),
  "the other channel has an application two minutes after the failover is due": brokenIf(
    (delivery, world) => isLateOnOther(delivery, world, FAILOVER_AFTER_MS + 2 * MINUTE),
  ).exceptAfter("set the clock", "restart", "resend"),
  "the other channel has an application at once after a refusal, or over the cap": brokenIf(
    (delivery, world) => {
      const { applicationId, preferred } = delivery;
      const last = world.sendsAbout(applicationId).findLast(({ channel }) => channel === preferred);
      const isRefused = last?.answer?.outcome === "rejected";
      const isCapped = last === undefined && preferred === "sms";
      // A conversation that hangs keeps its slot until its time is up, even once its provider works again.
      const hasSlot = world.hanging.length < SLOTS;
      return (isRefused || isCapped) && hasSlot && isLateOnOther(delivery, world, 0);
    },
  ).exceptAfter("set the clock", "restart", "resend"),
  "an application is given up after all tries, or in doubt": brokenIf(
    ({ applicationId, state }, world) => {
      const own = world.sendsAbout(applicationId);
      const isDoubtful = own.some((send) => isInDoubt(send) || send.isStatusUnknown);
      return state === "given-up" && !isDoubtful;
    },
  ).exceptAfter("age retries", "resend"),
};

/** Checked after the last restart, from which on every channel has a recipient and works. */
export const RULES_OF_REPAIR: Rules<Delivery> = {
  "a restart sends at once what has certainly reached nobody": brokenIf((delivery, world) => {
    const own = world.sendsAbout(delivery.applicationId);
    const mayBeThere = own.some((send) => send.arrived || isInDoubt(send));
    return isUnderWay(delivery) && !mayBeThere && !own.some((send) => world.mustWait(send));
  }).exceptAfter("resend"),
  "a repair of both channels sends by the preferred channel": brokenIf(
    ({ applicationId, preferred }, world) => {
      const own = world.sendsAbout(applicationId);
      const mustWait = own.some((send) => isInDoubt(send) || world.mustWait(send));
      const first = own.find((send) => send.arrived);
      const isExempt = world.isSuspicious(applicationId) || world.mayBeCapped(preferred);
      if (first === undefined || world.sends.indexOf(first) < world.sendsBeforeStart) return false;
      return first.channel !== preferred && !mustWait && !isExempt;
    },
  ).exceptAfter("restart", "age retries", "resend"),
};

/** Checked at the end, a day and two hours after the last restart. */
export const RULES_AT_THE_END: Rules<Delivery> = {
  "every application has arrived, or is given up with an alarm": brokenIf(
    ({ applicationId, state }, world) => {
      // An alarm whose outcome is unknown does not count, because it is sent again on the next day.
      const isTold = world.sends.some(
        (send) =>
          send.topic === "given-up" && send.arrived && !isInDoubt(send) && !isUndelivered(send),
      );
      if (state === "given-up" && isTold) return false;
      return state !== "done" || !world.sendsAbout(applicationId).some(({ arrived }) => arrived);
    },
  ),
  "all recipients of the preferred channel, or one of the other, have the application": brokenIf(
    ({ applicationId, preferred, state }, world) => {
      // Without another channel, an application that one recipient has does not wait for rejected messages.
      const isAlone = world.firstChannels.length < 2;
      if (isAlone || world.isSuspicious(applicationId) || state === "given-up") return false;
      const arrived = world
        .sendsAbout(applicationId)
        .filter((send) => send.arrived && !isUndelivered(send));
      const isWith = (to: string) => arrived.some(({ recipient }) => recipient === to);
      const isWithOther = arrived.some(({ channel }) => channel !== preferred);
      return !isWithOther && !world.recipients[preferred].every(isWith);
    },
  ).exceptAfter("set the clock", "restart", "age retries", "resend"),
  "a long application is mailed in full": brokenIf(({ applicationId, state }, world) => {
    const isMailed = world.sendsAbout(applicationId).some(({ channel }) => channel === "mail");
    const hasMail = world.firstChannels.includes("mail");
    return hasMail && world.isLong(applicationId) && state !== "given-up" && !isMailed;
  }).exceptAfter("set the clock", "restart", "age retries", "resend"),
};

/** True if nobody has the application although another channel has worked for `limit`, and has not even tried. */
function isLateOnOther(delivery: Delivery, world: World, limit: number): boolean {
  const others = world.othersThan(delivery.preferred);
  // With several other channels, each may first wait for the answer of another.
  const wait = others.length > 1 ? USUAL_ANSWER_TIME_MS : 0;
  return others.some((other) => isLateOn(other, delivery, world, limit + wait));
}

function isLateOn(
  other: ProviderChannel,
  delivery: Delivery,
  world: World,
  limit: number,
): boolean {
  const { applicationId, preferred } = delivery;
  const submitted = world.applications.get(applicationId);
  if (submitted === undefined || world.providers[other] !== "works") return false;
  const isExempt =
    world.recipients[preferred].length === 0 ||
    world.isSuspicious(applicationId) ||
    world.mayBeCapped(other);
  const since = Math.max(submitted.waitsSince, world.worksSince[other]);
  const own = world.sendsAbout(applicationId);
  const isFollowed = own.some(({ answer }) => answer?.outcome === "accepted");
  const isTried = own.some(({ channel }) => channel === other);
  const isLate = isUnderWay(delivery) && world.elapsed - since >= limit;
  return isLate && !isExempt && !isFollowed && !isTried;
}
