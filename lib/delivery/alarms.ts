/** Tells the owner what does not work, through a channel that works: once a day at most, and only what is new. */

import type { AlarmSubject, SmsCaps } from "#lib/application/delivery.ts";
import { formatPhone } from "#lib/application/phone.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

const NOT_SENT: Readonly<Record<Channel, string>> = {
  sms: "문자를 보내지 못하고 있습니다.",
  mail: "메일을 보내지 못하고 있습니다.",
};
const SENT_INSTEAD: Readonly<Record<Channel, string>> = {
  sms: "그동안 신청은 메일로 보내 드립니다.",
  mail: "그동안 신청은 문자로 보내 드립니다.",
};

const NO_BACKUP =
  "신청을 백업하지 못하고 있습니다. 신청은 잘 들어오고 있지만, 서버의 디스크가 고장 나면 잃을 수 있습니다. 사이트 관리자에게 알려 주세요.";

interface AlarmNeeds {
  store: DeliveryStore;
  channels: Channels;
  caps: SmsCaps;
  now: Clock;
}

interface Alarm {
  about: AlarmSubject;
  /** When its fault was met. A later alarm about the same subject needs a newer fault. */
  evidenceAt: number;
  text: string;
  /** The channels to try, the best first. */
  via: readonly Channel[];
  /** This recipient gets the alarm by none of them. */
  except?: string;
}

/** Tells the owner what is due now. */
export async function raiseAlarms(needs: AlarmNeeds, signal: AbortSignal): Promise<void> {
  for (const alarm of await alarmsNow(needs)) await tell(alarm, needs, signal);
}

async function alarmsNow({ store, channels, now }: AlarmNeeds): Promise<Alarm[]> {
  const other = (channel: Channel): Channel => (channel === "sms" ? "mail" : "sms");
  const alarms: Alarm[] = [];
  for (const { channel, refused, since, seenAt, advice } of await store.failingChannels()) {
    // A channel that refuses, or has failed for as long as the failover waits, is worth an alarm.
    const isDead = refused || now() - since >= FAILOVER_AFTER_MS;
    if (channels[channel] === undefined || !isDead) continue;
    const text = `${NOT_SENT[channel]} ${advice} ${SENT_INSTEAD[channel]}`;
    alarms.push({ about: channel, evidenceAt: seenAt, text, via: [other(channel)] });
  }
  for (const { channel, recipient, since, advice } of await store.failingRecipients()) {
    if (!channels[channel]?.recipients.includes(recipient)) continue;
    alarms.push({
      about: `${channel}:${recipient}`,
      // When it began: a fault that lasts is told once, until the recipient gets a message again.
      evidenceAt: since,
      text: `${notReached(channel, recipient)} ${advice} 다시 전달될 때까지 이 문제는 더 알리지 않습니다.`,
      via: [other(channel), channel],
      except: recipient,
    });
  }
  const givenUp = await store.givenUp();
  if (givenUp) {
    const { count, lastAt, advice } = givenUp;
    const text = `전달하지 못한 운전연수 신청이 ${count}건 있습니다. ${advice ? `${advice} ` : ""}서버에 보관되어 있으니 사이트 관리자와 확인하여 신청자에게 연락해 주세요.`;
    alarms.push({ about: "needs-owner", evidenceAt: lastAt, text, via: ["mail", "sms"] });
  }
  const failedBackup = await store.findNote("backup-failure");
  if (failedBackup && failedBackup.at > ((await store.findNote("backup"))?.at ?? 0)) {
    alarms.push({
      about: "backup",
      evidenceAt: failedBackup.at,
      text: NO_BACKUP,
      via: ["mail", "sms"],
    });
  }
  return alarms;
}

function notReached(channel: Channel, recipient: string): string {
  return channel === "sms"
    ? `${formatPhone(recipient)} 번호로 문자가 전달되지 않습니다.`
    : `${recipient} 주소로 메일이 전달되지 않습니다.`;
}

async function tell(
  { about, evidenceAt, text, via, except }: Alarm,
  { store, channels, caps, now }: AlarmNeeds,
  stopping: AbortSignal,
): Promise<void> {
  const ways = via.flatMap((name) => {
    const channel = channels[name];
    const recipients = channel?.recipients.filter((recipient) => recipient !== except) ?? [];
    return channel && recipients.length > 0 ? [{ name, channel, recipients }] : [];
  });
  if (ways.length === 0 || stopping.aborted) return;
  const claimed = await store.claimAlarm({ subject: about, evidenceAt, now: now() });
  if (claimed === undefined) return;
  for (const { name, channel, recipients } of ways) {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(channel.tryLimitMs)]);
    const charge = { subject: about, texts: recipients.length, caps };
    const mayLeave = async () =>
      name !== "sms" || (await store.chargeAlarm({ ...charge, now: now() }));
    const message = { kind: "alarm", about, text } as const;
    const outcomes = await channel.send(message, recipients, { signal, mayLeave });
    // One that may have gone out counts as told: the next one is a day away.
    if (outcomes.some(({ outcome }) => ["delivered", "accepted", "unknown"].includes(outcome))) {
      log.warn(
        { about: kindOf(about), via: name },
        "the owner was told that something needs mending",
      );
      return;
    }
  }
  await store.withdrawAlarm(claimed, now());
  log.error(
    { about: kindOf(about) },
    "the owner could not be told that something needs mending; see health",
  );
}

/** Without the owner's number or address. */
function kindOf(about: AlarmSubject): string {
  return about.includes(":") ? `a recipient of ${about.split(":")[0]}` : about;
}
