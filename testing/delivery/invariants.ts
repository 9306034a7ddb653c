/** The invariants of every history: which messages must not be sent, and which must not arrive. */
import { DAY, HOUR } from "#lib/application/durations.ts";
import type { OwnerMessage } from "#lib/channels/channel.ts";
import { CHANNEL_NAMES } from "#lib/channels/names.ts";
import { isKnownReached, type SendLog, type SendLogEntry } from "#testing/delivery/send-log.ts";

/** The invariant that sending this message would break, if any. */
export function violationOnSending(
  message: OwnerMessage,
  { channel, recipient, applications, about }: SendLogEntry,
  {
    entries,
    asked,
    resentNow,
    recipients,
    clockWasSet,
    settingsChanged,
    processCrashed,
    now,
  }: SendLog,
): string | undefined {
  if (about === channel || about === `${channel}:${recipient}`) return `an alarm about ${about}`;
  const [, number] = about.split(":");
  if (number && !Object.values(recipients).flat().includes(number))
    return `an alarm about ${number}, which is not set`;
  const isApplication = message.kind === "application";
  const isSuspicious = isApplication && message.application.suspicion !== undefined;
  if (isSuspicious && channel === "sms" && recipients.mail.length > 0)
    return "a text for what looks automated";
  const others = CHANNEL_NAMES.filter((name) => name !== channel && recipients[name].length > 0);
  const isFullText = message.kind === "full-text";
  for (const id of applications.filter((each) => !asked.has(each))) {
    const own = entries.filter((entry) => entry.applications.includes(id));
    const lastTo = (to: string) => own.findLast((entry) => entry.recipient === to);
    const last = lastTo(recipient);
    if (isKnownReached(last)) return `${id} again: ${recipient} has it`;
    const isTimed = !clockWasSet && !settingsChanged && !resentNow.has(id);
    if (isTimed && (last?.result?.notBefore ?? 0) > now) return `${id} before the named time`;
    const isDoubtful = last && (last.result === undefined || last.result.outcome === "unknown");
    if (channel === "sms" && isDoubtful && !last.statusChecked)
      return `${id} again without a status check`;
    // The mail with the full text replaces no text message.
    const instead = own.filter(({ kind }) => kind === "application");
    const isWith = (to: string) =>
      isKnownReached(instead.findLast((entry) => entry.recipient === to));
    const isWithAnother = others.some((name) => recipients[name].every(isWith));
    if (!isFullText && !processCrashed && isWithAnother) return `${id} by ${channel} too`;
  }
  return undefined;
}

/** The invariant that an arrived message breaks, if any. */
export function violationOnArrival(
  { recipient, applications, about, channel }: SendLogEntry,
  sendLog: SendLog,
): string | undefined {
  const arrived = sendLog.arrived.filter((each) => each.recipient === recipient);
  for (const id of applications) {
    const copies = arrived.filter((each) => each.applications.includes(id)).length;
    if (copies > 2 * (1 + (sendLog.asked.get(id) ?? 0))) return `${copies} copies of ${id}`;
  }
  if (sendLog.clockWasSet) return undefined;
  if (channel === "sms" && isOverCaps(sendLog)) return "a text over the caps";
  if (about === "") return undefined;
  // A recipient gets at most one alarm of a topic per day, and a second alarm after a refusal. An undelivered
  // alarm does not count after a change of the settings, because a channel that returns gets the alarm at once.
  const same = within(DAY, sendLog).filter(
    (each) =>
      each.about === about &&
      each.recipient === recipient &&
      !(sendLog.settingsChanged && each.arrived?.finalStatus === "undelivered"),
  );
  if (same.length > 2) return `${same.length} alarms about ${about} in a day`;
  return isOutdatedAlarm(about, sendLog) ? `an alarm about ${about}, which works again` : undefined;
}

const within = (ms: number, { arrived, now }: SendLog) =>
  arrived.filter((each) => (each.arrived?.at ?? 0) > now - ms);

function isOverCaps(sendLog: SendLog): boolean {
  const segments = (ms: number) =>
    within(ms, sendLog).reduce((sum, each) => sum + each.segments, 0);
  return segments(HOUR) > sendLog.caps.hourly || segments(DAY) > sendLog.caps.daily;
}

/** True if the alarm's channel works again, or if only the site's own network had failed and is back. */
function isOutdatedAlarm(about: string, sendLog: SendLog): boolean {
  const channel = CHANNEL_NAMES.find((name) => name === about);
  if (channel === undefined || sendLog.providers[channel] !== "works") return false;
  const faults = sendLog.faultsOf(channel);
  const other = sendLog.entries.findLast(
    (entry) => entry.channel !== channel && entry.result?.fault?.about === "channel",
  );
  if (faults.length === 0) return sendLog.takenAt[channel] < sendLog.now;
  return other?.isOutage === true && faults.every(({ isOutage }) => isOutage);
}
