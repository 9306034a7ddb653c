/** The checks of the rules about one message. */
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { SEOUL_OFFSET_MS } from "#lib/application/seoul-time.ts";
import { CHANNEL_NAMES } from "#lib/channels/names.ts";
import { PHONE_OFF_PAUSE } from "#lib/delivery/retry.ts";
import type { Checks } from "#testing/delivery/rules.ts";
import { isInDoubt, isKnownReached, isUndelivered, type Send } from "#testing/delivery/world.ts";

const [MORNING, NIGHT] = [8 * HOUR, 22 * HOUR];

export const SENDING_CHECKS: Checks<Send> = {
  "alarm elsewhere": ({ about, channel, recipient }) =>
    about === channel || about === `${channel}:${recipient}`,
  "alarm about the settings"({ about }, { recipients }) {
    const [, recipient] = about.split(":");
    return recipient !== undefined && !Object.values(recipients).flat().includes(recipient);
  },
  "suspects by mail": ({ channel, applicationId }, world) =>
    channel === "sms" && world.isSuspicious(applicationId) && world.recipients.mail.length > 0,
  "once each": (send, world) => isKnownReached(world.lastBefore(send)),
  "named time": (send, world) => (world.lastBefore(send)?.answer?.notBefore ?? 0) > world.now,
  "search first"(send, world) {
    const last = world.lastBefore(send);
    return send.channel === "sms" && isInDoubt(last) && !last?.isSearched;
  },
  "phone off"(send, world) {
    const last = world.lastBefore(send);
    if (send.channel !== "sms" || !isUndelivered(last)) return false;
    const timeOfDay = (world.now + SEOUL_OFFSET_MS) % DAY;
    const isEarly = world.steady - (last?.answeredAt ?? 0) < PHONE_OFF_PAUSE.least;
    return isEarly || timeOfDay < MORNING || timeOfDay >= NIGHT;
  },
  "no reserve"({ applicationId, channel, kind }, world) {
    const other = world.otherThan(channel);
    // A mail with everything goes out beside a shortened text message.
    const isBeside = kind === "full-text" || (channel === "mail" && world.isLong(applicationId));
    if (applicationId === undefined || other === undefined || isBeside) return false;
    const hasIt = (to: string) => isKnownReached(world.lastTo(to, applicationId));
    return world.recipients[other].every(hasIt);
  },
  "full text"({ kind, applicationId }, world) {
    return kind === "full-text" && !world.isLong(applicationId);
  },
};

export const ARRIVAL_CHECKS: Checks<Send> = {
  "two copies"({ applicationId, recipient }, world) {
    const copies = world
      .about(applicationId)
      .filter(
        (send) => send.arrived && send.recipient === recipient && !isUndelivered(send),
      ).length;
    const requests = 1 + (world.applications.get(applicationId ?? "")?.resends ?? 0);
    return copies > 2 * requests && `${copies} copies`;
  },
  caps({ channel }, world) {
    const [hour, day] = [world.segmentsWithin(HOUR), world.segmentsWithin(DAY)];
    const isOver = hour > world.caps.hourly || day > world.caps.daily;
    return channel === "sms" && isOver && `${hour} in an hour, ${day} in a day`;
  },
  "one alarm a day"({ about, recipient }, world) {
    if (about === "") return false;
    const isBackInSettings = world.happened.has("restart");
    const same = world.sends
      .filter((send) => send.arrived && send.about === about && send.recipient === recipient)
      .filter((send) => send.at > world.steady - DAY)
      // A channel that returns to the settings gets an undelivered alarm at once.
      .filter(({ arrived }) => !isBackInSettings || arrived?.finalStatus !== "undelivered");
    return same.length > 2 && `${same.length} alarms`;
  },
  "true alarm"({ about }, world) {
    const channel = CHANNEL_NAMES.find((name) => name === about);
    if (channel === undefined || world.providers[channel] !== "works") return false;
    const faults = world.faultsOf(channel);
    if (faults.length === 0) return world.takenAt(channel) < world.steady;
    const other = world.sends.findLast(
      (send) => send.channel !== channel && send.answer?.fault?.about === "channel",
    );
    return other?.isOutage === true && faults.every(({ isOutage }) => isOutage);
  },
};

export const SEARCH_CHECKS: Checks<Send> = {
  "late search": ({ begunAt }, world) => world.now - begunAt < MINUTE,
};
