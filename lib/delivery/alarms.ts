/** An alarm is a notice that is sent at most once a day, and only while its cause lasts. */
import { DAY } from "#lib/application/durations.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import {
  withMeansParticle,
  withObjectParticle,
  withSubjectParticle,
} from "#lib/content/korean-words.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { type DeliveryFault, isLastingFault, listFaults } from "#lib/delivery/faults.ts";
import { MIN_CLOCK_JUMP_MS } from "#lib/delivery/retry.ts";
import { findBackupFailure } from "#lib/storage/backups.ts";
import { isIn, NOTICES_UNDER_WAY } from "#lib/storage/outcomes.ts";
import type { EarlierNotice } from "#lib/storage/queries/notices.ts";
import type { NoticeRow } from "#lib/storage/tables.ts";

const NO_BACKUP_TEXT =
  "신청을 백업하지 못하고 있습니다. 신청은 잘 들어오고 있지만, 서버의 디스크가 고장 나면 잃을 수 있습니다. 사이트 관리자에게 알려 주세요.";

/** `topic`: `sms`, `mail:a@b.kr`, … (tables.ts). The first sentence of `text` is the subject of the mail. */
interface Alarm extends Pick<NoticeRow, "topic" | "preferredChannel"> {
  kind: "alarm";
  text: string;
  /** When the cause was last seen. For a fault of one recipient, and for missing backups: when the fault began. */
  causeAt: number;
}

export async function listAlarms(deps: DeliveryDeps): Promise<Alarm[]> {
  const { store, channels } = deps;
  const faults = await listFaults(store, (channel) => channels[channel]?.recipients);
  const backupFailure = await findBackupFailure(store, deps.now());
  const noBackup = backupFailure && newAlarm("backup", "mail", backupFailure.at, NO_BACKUP_TEXT);
  const alarms = [await givenUpAlarm(deps), noBackup];
  for (const fault of faults.filter((each) => isLastingFault(each, deps.now())))
    alarms.push(fault.recipient ? recipientAlarm(fault, deps) : await channelAlarm(fault, deps));
  return alarms.filter((each) => each !== undefined);
}

/** An alarm that reached nobody, or whose cause was seen again since, is repeated after a day. Pure. */
export function isAlarmDue(
  earlier: EarlierNotice | undefined,
  causeAt: number,
  now: number,
): boolean {
  if (earlier === undefined) return true;
  const { state, sentAt, finishedAt, reachedCount } = earlier;
  if (isIn(NOTICES_UNDER_WAY, state)) return false;
  const at = sentAt ?? (state === "given-up" ? finishedAt : undefined);
  // A time in the future comes from before the clock was set back: the alarm's age is unknown, so the alarm is due.
  if (at === undefined || at > now + MIN_CLOCK_JUMP_MS) return true;
  return (reachedCount === 0 || causeAt > at) && now - at >= DAY;
}

function newAlarm(
  topic: string,
  preferredChannel: ProviderChannel,
  causeAt: number,
  text: string,
): Alarm {
  return { kind: "alarm", topic, preferredChannel, causeAt, text };
}

/**
 * Without another channel, no alarm can be sent. A channel that does not answer raises none while the other one fails
 * too, or if the other one has recovered after that fault: our own network may be, or may have been, the cause.
 */
async function channelAlarm(fault: DeliveryFault, { store, channels }: DeliveryDeps) {
  const { channel, isRejected, seenAt, advice } = fault;
  const others = await Array.fromAsync(otherChannels(channel, channels), async (name) => ({
    name,
    ...(await store.readFaultTimes(name)),
  }));
  const isShared = others.some(
    ({ failingSince, lastWorkedAt = 0 }) => failingSince !== undefined || seenAt <= lastWorkedAt,
  );
  const other = others.find(({ failingSince }) => failingSince === undefined) ?? others[0];
  if (other === undefined || (isShared && !isRejected)) return undefined;
  const notSent = `${withObjectParticle(CHANNEL_WORDS[channel])} 보내지 못하고 있습니다.`;
  const instead = `그동안 신청은 ${withMeansParticle(CHANNEL_WORDS[other.name])} 보내 드립니다.`;
  return newAlarm(channel, other.name, seenAt, `${notSent} ${advice} ${instead}`);
}

const otherChannels = (channel: ProviderChannel, channels: Channels) =>
  PROVIDER_CHANNELS.filter((name) => name !== channel && channels[name]);

/** Dated by the first failure: an alarm that arrived is repeated only if the recipient fails again after a delivery. */
function recipientAlarm(fault: DeliveryFault, { channels }: DeliveryDeps): Alarm {
  const { channel, recipient = "", since, advice } = fault;
  const what = withSubjectParticle(CHANNEL_WORDS[channel]);
  const [preferredChannel = channel] = otherChannels(channel, channels);
  const text = `${formatPhone(recipient)}에 ${what} 전달되지 않습니다. ${advice} 다시 전달될 때까지 이 문제는 더 알리지 않습니다.`;
  return newAlarm(`${channel}:${recipient}`, preferredChannel, since, text);
}

async function givenUpAlarm({ store }: DeliveryDeps): Promise<Alarm | undefined> {
  const { givenUp, lastGivenUpAt, lastGivenUpAdvice: advice } = await store.countApplications();
  if (lastGivenUpAt === undefined) return undefined;
  const why = advice === undefined ? "" : `${advice} `;
  const text = `전달하지 못한 운전연수 신청이 ${givenUp}건 있습니다. ${why}서버에 보관되어 있으니 사이트 관리자와 확인하여 신청자에게 연락해 주세요.`;
  return newAlarm("given-up", "mail", lastGivenUpAt, text);
}
