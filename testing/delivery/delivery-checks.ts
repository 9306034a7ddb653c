/** The checks of the rules about the delivery of one application. */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { FAILOVER_AFTER } from "#lib/delivery/retry.ts";
import type { NoticeState } from "#lib/storage/queries/outcomes.ts";
import type { Checks } from "#testing/delivery/rules.ts";
import { isInDoubt, isKnownReached, isUndelivered, type World } from "#testing/delivery/world.ts";

export interface Delivery {
  applicationId: string;
  preferred: ChannelName;
  state: NoticeState;
  /** The latest time for which one of its messages is planned. */
  nextAt: number;
}

const isOpen = ({ state }: Delivery) => state === "new" || state === "open" || state === "sent";

export const REST_CHECKS: Checks<Delivery> = {
  "file alone"(delivery, world) {
    const isFiled = delivery.state === "filed";
    return world.configured().length > 0 ? isFiled : isOpen(delivery) && delivery.state !== "sent";
  },
  "no false end": ({ applicationId, state }, world) =>
    (state === "filed" || state === "given-up") && world.holdersOf(applicationId).length > 0,
  "left settings"(delivery, world) {
    const holders = world.holdersOf(delivery.applicationId);
    // The mail with everything may still be due beside a shortened text message.
    if (world.isLong(delivery.applicationId)) return false;
    const areGone = holders.every(({ channel }) => world.recipients[channel].length === 0);
    return isOpen(delivery) && holders.length > 0 && areGone;
  },
  "a day at most": ({ state, nextAt }, { now }) => state === "open" && !(nextAt <= now + DAY),
  "search soon"(delivery, world) {
    const unsearched = world
      .about(delivery.applicationId)
      .filter((send) => isInDoubt(send) && !send.isSearched && !send.isSearchRefused)
      .filter(({ channel, recipient }) => channel === "sms" && world.isConfigured(recipient));
    const limit = world.steady - 3 * MINUTE;
    return isOpen(delivery) && unsearched.some(({ at }) => Math.max(at, world.startedAt) < limit);
  },
  failover: (delivery, world) => isLateOnOther(delivery, world, FAILOVER_AFTER + 2 * MINUTE),
  "failover at once"(delivery, world) {
    const { applicationId, preferred } = delivery;
    const last = world.about(applicationId).findLast(({ channel }) => channel === preferred);
    const isRefused = last?.answer?.outcome === "rejected";
    const isCapped = last === undefined && preferred === "sms";
    return (isRefused || isCapped) && isLateOnOther(delivery, world, 0);
  },
  "five days"({ applicationId, state }, world) {
    const own = world.about(applicationId);
    const isDoubtful = own.some((send) => isInDoubt(send) || send.isUnclear);
    return state === "given-up" && !isDoubtful;
  },
};

export const REPAIR_CHECKS: Checks<Delivery> = {
  "repair at once"(delivery, world) {
    const own = world.about(delivery.applicationId);
    const mayBeThere = own.some((send) => send.arrived || isInDoubt(send));
    const mustWait = own.some(({ answer }) => (answer?.notBefore ?? 0) > world.now);
    return isOpen(delivery) && !mayBeThere && !mustWait;
  },
  "preferred first"({ applicationId, preferred }, world) {
    const own = world.about(applicationId);
    const mustWait = own.some(
      (send) => isInDoubt(send) || (send.answer?.notBefore ?? 0) > world.now,
    );
    const first = own.find((send) => send.arrived);
    const isExempt = world.isSuspicious(applicationId) || world.mayBeCapped(preferred);
    if (first === undefined || world.sends.indexOf(first) < world.sendsBefore) return false;
    return first.channel !== preferred && !mustWait && !isExempt;
  },
};

export const FINAL_CHECKS: Checks<Delivery> = {
  "all handled"({ applicationId, state }, world) {
    // An alarm whose outcome is unknown does not count, because it is sent again on the next day.
    const isTold = world.sends.some((send) => send.about === "given-up" && isKnownReached(send));
    if (state === "given-up" && isTold) return false;
    return state !== "done" || !world.about(applicationId).some(({ arrived }) => arrived);
  },
  "all recipients"({ applicationId, preferred, state }, world) {
    // Without another channel nobody waits for a recipient that refuses what another one has.
    const isAlone = world.firstChannels.length < 2;
    if (isAlone || world.isSuspicious(applicationId) || state === "given-up") return false;
    const arrived = world
      .about(applicationId)
      .filter((send) => send.arrived && !isUndelivered(send));
    const isWith = (to: string) => arrived.some(({ recipient }) => recipient === to);
    const isWithOther = arrived.some(({ channel }) => channel !== preferred);
    return !isWithOther && !world.recipients[preferred].every(isWith);
  },
  "mailed in full"({ applicationId, state }, world) {
    const isMailed = world.about(applicationId).some(({ channel }) => channel === "mail");
    const hasMail = world.firstChannels.includes("mail");
    return hasMail && world.isLong(applicationId) && state !== "given-up" && !isMailed;
  },
};

/** True if nobody has the application, although the other channel has worked for `limit` and could have sent it. */
function isLateOnOther(delivery: Delivery, world: World, limit: number): boolean {
  const { applicationId, preferred } = delivery;
  const other = world.otherThan(preferred);
  const submitted = world.applications.get(applicationId);
  if (other === undefined || submitted === undefined || world.providers[other] !== "works")
    return false;
  const isExempt =
    world.recipients[preferred].length === 0 ||
    world.isSuspicious(applicationId) ||
    world.mayBeCapped(other);
  const since = Math.max(submitted.askedAt, world.worksSince[other]);
  const own = world.about(applicationId);
  const isFollowed = own.some(({ answer }) => answer?.outcome === "accepted");
  const isTried = own.some(({ channel }) => channel === other);
  const isLate = isOpen(delivery) && world.steady - since >= limit;
  return isLate && !isExempt && !isFollowed && !isTried;
}
