/** The rules of one message to one recipient. */
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { SEOUL_OFFSET_MS } from "#lib/application/seoul-time.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { UNDELIVERED_PAUSE_MS } from "#lib/delivery/retry.ts";
import { type Rules, ruleMaker } from "#testing/delivery/rules.ts";
import {
  isInDoubt,
  isKnownReached,
  isUndelivered,
  type SentMessage,
} from "#testing/delivery/world.ts";

const [MORNING_MS, NIGHT_MS] = [8 * HOUR, 22 * HOUR];

const brokenIf = ruleMaker<SentMessage>();

/** Checked right before the first byte of a message. */
export const RULES_OF_SENDING: Rules<SentMessage> = {
  "an alarm goes neither to its channel nor to its recipient": brokenIf(
    ({ topic, channel, recipient }) => topic === channel || topic === `${channel}:${recipient}`,
  ),
  "no alarm is about a recipient that is not configured [66]": brokenIf(({ topic }, world) => {
    const [, recipient] = topic.split(":");
    return recipient !== undefined && !world.isConfigured(recipient);
  }),
  "what looks automated is texted only if mail is not configured": brokenIf(
    ({ channel, applicationId }, world) =>
      channel === "sms" && world.isSuspicious(applicationId) && world.recipients.mail.length > 0,
  ),
  "a recipient who has an application does not get it again": brokenIf((send, world) =>
    isKnownReached(world.lastBefore(send)),
  ).exceptAfter("resend"),
  // A resend sends at once, and a clock that was set moves the named time.
  "no message leaves before the time that the provider names": brokenIf(
    (send, world) =>
      world.mustWait(world.lastBefore(send)) && !world.isDueEarly(send.applicationId),
  ).exceptAfter("set the clock", "resend"),
  "a second text leaves only after a search that did not find the first": brokenIf(
    (send, world) => {
      const last = world.lastBefore(send);
      return send.channel === "sms" && isInDoubt(last) && !last?.isSearched;
    },
  ).exceptAfter("resend"),
  "a text to a phone that was off is repeated after six hours, and not at night": brokenIf(
    (send, world) => {
      const last = world.lastBefore(send);
      if (send.channel !== "sms" || !isUndelivered(last) || world.isDueEarly(send.applicationId))
        return false;
      const timeOfDay = (world.now + SEOUL_OFFSET_MS) % DAY;
      const isEarly = world.elapsed - (last?.answeredAt ?? 0) < UNDELIVERED_PAUSE_MS.least;
      return isEarly || timeOfDay < MORNING_MS || timeOfDay >= NIGHT_MS;
    },
  ).exceptAfter("set the clock", "resend"),
  // A crash may lose an answer, and a resend starts both channels again.
  "a channel sends nothing once all recipients of the other one have the application": brokenIf(
    ({ applicationId, channel, kind }, world) => {
      // A mail still follows a shortened text message: the one in reserve, or one with the full text.
      const isBeside = kind === "full-text" || (channel !== "sms" && world.isLong(applicationId));
      if (applicationId === undefined || isBeside) return false;
      const hasIt = (to: string) => isKnownReached(world.lastTo(to, applicationId));
      return world.othersThan(channel).some((other) => world.recipients[other].every(hasIt));
    },
  ).exceptAfter("crash", "resend"),
  "the full text is mailed only beside a shortened text message": brokenIf(
    ({ kind, applicationId }, world) => kind === "full-text" && !world.isLong(applicationId),
  ),
};

/** Checked as soon as the provider has a message. */
export const RULES_OF_ARRIVAL: Rules<SentMessage> = {
  "no recipient gets more than two copies for each request of the owner": brokenIf(
    ({ applicationId, recipient }, world) => {
      const { length } = world
        .sendsAbout(applicationId)
        .filter((each) => each.recipient === recipient && each.arrived && !isUndelivered(each));
      const requests = 1 + (world.applications.get(applicationId ?? "")?.resends ?? 0);
      return length > 2 * requests && `${length} copies`;
    },
  ),
  "the texts of an hour and of a day stay under the caps, in segments [23][65]": brokenIf(
    ({ channel }, world) => {
      const [hour, day] = [world.segmentsWithin(HOUR), world.segmentsWithin(DAY)];
      const isOver = hour > world.highestCaps.hourly || day > world.highestCaps.daily;
      return channel === "sms" && isOver && `${hour} in an hour, ${day} in a day`;
    },
  ).exceptAfter("set the clock"),
  "a recipient gets one alarm of a topic a day, one more if undelivered [49]": brokenIf(
    ({ topic, recipient }, world) => {
      if (topic === "") return false;
      const isBackInSettings = world.happened.has("restart");
      const { length } = world.sends
        .filter((send) => send.arrived && send.topic === topic && send.recipient === recipient)
        .filter((send) => send.at > world.elapsed - DAY)
        // Undelivered alarms do not count after a restart: a channel that is configured again gets them at once.
        .filter(({ arrived }) => !isBackInSettings || arrived?.finalStatus !== "undelivered");
      return length > 2 && `${length} alarms`;
    },
  ).exceptAfter("set the clock"),
  "no alarm is about a channel that works, or failed with our own network [67]": brokenIf(
    ({ topic }, world) => {
      const channel = PROVIDER_CHANNELS.find((name) => name === topic);
      if (channel === undefined || world.providers[channel] !== "works") return false;
      const faults = [...world.failedSends[channel]];
      if (faults.length === 0) return world.takenAt[channel] < world.elapsed;
      const other = world.sends.findLast(
        (send) => send.channel !== channel && send.answer?.fault?.about === "channel",
      );
      return other?.isOutage === true && faults.every(({ isOutage }) => isOutage);
    },
  ).exceptAfter("set the clock"),
};

/** Checked when the provider's list is searched. */
export const RULES_OF_SEARCH: Rules<SentMessage> = {
  "a text is searched for at the earliest a minute after it began [14]": brokenIf(
    ({ begunAt }, world) => world.now - begunAt < MINUTE,
  ).exceptAfter("set the clock"),
};
