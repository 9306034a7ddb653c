/** What the delivery expects of every channel. A new channel adds a row. */
import { expect, vi } from "vitest";
import type { Channel } from "#lib/channels/channel.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { type DeliveryRig, test } from "#testing/delivery/rig.ts";

interface ChannelWithPeer {
  channel: Channel;
  arrived: readonly unknown[];
  stopPeer: () => Promise<void>;
}

const CHANNELS: Readonly<Record<ProviderChannel, (rig: DeliveryRig) => ChannelWithPeer>> = {
  sms: (rig) => ({
    channel: rig.openSms(),
    arrived: rig.twilio.messages,
    stopPeer: () => rig.twilio.stop(),
  }),
  mail: (rig) => ({
    channel: rig.openMail(),
    arrived: rig.smtp.mails,
    stopPeer: () => rig.smtp.stop(),
  }),
};

const transmit = (channel: Channel, beforeTransmit: () => Promise<boolean>) =>
  channel.transmit({ kind: "test", text: "시험입니다." }, channel.recipients[0] ?? "", {
    signal: new AbortController().signal,
    beforeTransmit,
  });

test.for(PROVIDER_CHANNELS)(
  "a copy that is forbidden does not leave by %s",
  async (name, { rig }) => {
    const { channel, arrived } = CHANNELS[name](rig);
    const forbid = vi.fn(async () => false);
    expect(await transmit(channel, forbid)).toEqual({ outcome: "not-sent" });
    expect(forbid).toHaveBeenCalledOnce();
    expect(arrived).toHaveLength(0);
    expect(await transmit(channel, async () => true)).not.toHaveProperty("fault");
    expect(arrived).toHaveLength(1);
  },
);

test.for(PROVIDER_CHANNELS)(
  "an unreachable provider of %s gives the outcome not-sent, with advice",
  async (name, { rig }) => {
    const { channel, stopPeer } = CHANNELS[name](rig);
    await stopPeer();
    const fault = { about: "channel", advice: expect.stringMatching(/[가-힣]/) };
    expect(await transmit(channel, async () => true)).toMatchObject({ outcome: "not-sent", fault });
  },
);

test("no two channels have the same Korean name", () => {
  const words = Object.values(CHANNEL_WORDS);
  expect(new Set(words).size).toBe(words.length);
});
