/** What does not work, as jobs: told once a day at most, and only while it lasts. */
import { formatPhone } from "#lib/application/phone.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { CHANNEL_WORDS, RECIPIENT_WORDS } from "#lib/channels/words.ts";
import { asObject, asSubject } from "#lib/content/copy.ts";
import { elapsed, FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import { failedBackup } from "#lib/storage/backups.ts";
import type { Failing } from "#lib/storage/queries/faults.ts";
import type { Raised } from "#lib/storage/queries/notices.ts";
import type { Store } from "#lib/storage/store.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/storage/tables.ts";

const NO_BACKUP =
  "신청을 백업하지 못하고 있습니다. 신청은 잘 들어오고 있지만, 서버의 디스크가 고장 나면 잃을 수 있습니다. 사이트 관리자에게 알려 주세요.";

export interface AlarmNeeds {
  store: Pick<Store, "failing" | "worksSince" | "counts" | "findNote">;
  channels: Channels;
  now: () => number;
}

/** What there is to tell now, by the numbers and addresses that are set now. */
export async function alarmsNow(needs: AlarmNeeds): Promise<Raised[]> {
  const { store, channels } = needs;
  const configured = CHANNEL_NAMES.map((name) => [name, channels[name]?.recipients]);
  const faults = await store.failing(Object.fromEntries(configured));
  const failed = await failedBackup(store);
  const noBackup = failed && alarm("backup", "mail", failed.at, NO_BACKUP);
  const alarms = [await ofGivenUp(needs), noBackup];
  for (const fault of faults) {
    const isOneRecipient = fault.recipient !== undefined;
    alarms.push(isOneRecipient ? ofRecipient(fault, needs) : await ofChannel(fault, needs));
  }
  return alarms.filter((alarm) => alarm !== undefined);
}

/** `text`: its first sentence names what does not work. */
function alarm(about: string, first: ChannelName, causeAt: number, payload: string): Raised {
  return { subject: `alarm:${about}`, first, causeAt, payload };
}

/**
 * A channel that refuses, or has failed for as long as the failover waits. Where it is the only one that fails: while
 * our own network is gone both do, and what is told then is no longer true when it arrives.
 */
async function ofChannel(
  { channel, refused, since, seenAt, advice }: Failing,
  { store, channels, now }: AlarmNeeds,
): Promise<Raised | undefined> {
  const other = otherThan(channel, channels);
  if (other === undefined) return undefined;
  if (!refused) {
    if (elapsed(since, now()) < FAILOVER_AFTER_MS) return undefined;
    const otherWorksSince = await store.worksSince(other);
    if (otherWorksSince === undefined || seenAt <= otherWorksSince) return undefined;
  }
  const notSent = `${asObject(CHANNEL_WORDS[channel])} 보내지 못하고 있습니다.`;
  const instead = `그동안 신청은 ${CHANNEL_WORDS[other]}로 보내 드립니다.`;
  return alarm(channel, other, seenAt, `${notSent} ${advice} ${instead}`);
}

function otherThan(channel: ChannelName, channels: Channels): ChannelName | undefined {
  return CHANNEL_NAMES.find((name) => name !== channel && channels[name]);
}

/** The cause is as old as the fault: one that lasts is told once, until the recipient gets a message again. */
function ofRecipient(
  { channel, recipient = "", refused, since, advice }: Failing,
  { channels, now }: AlarmNeeds,
): Raised | undefined {
  if (!refused && elapsed(since, now()) < FAILOVER_AFTER_MS) return undefined;
  const what = asSubject(CHANNEL_WORDS[channel]);
  const whom = `${formatPhone(recipient)} ${RECIPIENT_WORDS[channel]}로`;
  const text = `${whom} ${what} 전달되지 않습니다. ${advice} 다시 전달될 때까지 이 문제는 더 알리지 않습니다.`;
  return alarm(`${channel}:${recipient}`, otherThan(channel, channels) ?? channel, since, text);
}

async function ofGivenUp({ store, now }: AlarmNeeds): Promise<Raised | undefined> {
  const { givenUp, lastGivenUpAt, lastGivenUpAdvice: advice } = await store.counts(now());
  if (lastGivenUpAt === undefined) return undefined;
  const why = advice === undefined ? "" : `${advice} `;
  const text = `전달하지 못한 운전연수 신청이 ${givenUp}건 있습니다. ${why}서버에 보관되어 있으니 사이트 관리자와 확인하여 신청자에게 연락해 주세요.`;
  return alarm("given-up", "mail", lastGivenUpAt, text);
}
