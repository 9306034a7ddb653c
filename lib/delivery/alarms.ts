/** Tells the owner what does not work, once a day, through what does. */

import type { AlarmSubject, FailingChannel } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { Channels } from "#lib/channels/open.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/plan.ts";
import { log } from "#lib/log.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

const ALARM_LIMIT_MS = 60_000;
const NOT_SENT: Readonly<Record<Channel, string>> = {
  sms: "문자를 보내지 못하고 있습니다.",
  mail: "메일을 보내지 못하고 있습니다.",
};
const SENT_INSTEAD: Readonly<Record<Channel, string>> = {
  sms: "그동안 신청은 메일로 보내 드립니다.",
  mail: "그동안 신청은 문자로 보내 드립니다.",
};

interface AlarmNeeds {
  store: DeliveryStore;
  channels: Channels;
  now: () => number;
}

/** A channel is worth an alarm when it says no, or has been silent for as long as the failover waits. */
function isDead({ refused, since }: Pick<FailingChannel, "refused" | "since">, now: number) {
  return refused || now - since >= FAILOVER_AFTER_MS;
}

export async function raiseAlarms(needs: AlarmNeeds, signal: AbortSignal): Promise<void> {
  const { store, channels, now } = needs;
  const failing = await store.failingChannels();
  for (const fault of failing) {
    const { channel } = fault;
    if (channels[channel] === undefined || !isDead(fault, now())) continue;
    const other = channel === "sms" ? "mail" : "sms";
    const text = `${NOT_SENT[channel]} ${fault.advice} ${SENT_INSTEAD[channel]}`;
    await tell({ about: channel, via: [other], text }, needs, signal);
  }
  const needsOwner = await store.countNeedsOwner();
  if (needsOwner === 0) return;
  const text = `전달하지 못한 운전연수 신청이 ${needsOwner}건 있습니다. 서버에 보관되어 있으니 사이트 관리자와 확인하여 신청자에게 연락해 주세요.`;
  await tell({ about: "needs-owner", via: ["mail", "sms"], text }, needs, signal);
}

async function tell(
  { about, via, text }: { about: AlarmSubject; via: Channel[]; text: string },
  { store, channels, now }: AlarmNeeds,
  signal: AbortSignal,
): Promise<void> {
  if (!(await store.claimAlarm(about, now()))) return;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ALARM_LIMIT_MS)]);
  for (const name of via) {
    const channel = channels[name];
    if (channel === undefined) continue;
    const message = { kind: "alarm", about, text } as const;
    const outcomes = await channel.send(message, channel.recipients, { signal: limited });
    if (outcomes.some(({ outcome }) => outcome === "delivered" || outcome === "accepted")) {
      await store.confirmAlarm(about, now());
      log.warn({ about, via: name }, "the owner was told that something needs mending");
      return;
    }
  }
  log.error({ about }, "the owner could not be told that something needs mending; see health");
}
