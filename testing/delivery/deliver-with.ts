/** Runs the real worker for a pass per channel, with channels whose answers the test chooses. */
import { join } from "node:path";
import type { Channel } from "#lib/channels/channel.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { TEST_NOW, type TemporaryStore } from "#testing/storage/temporary-store.ts";

const OWNER_PHONE = "+821099990000";
const OWNER_MAIL = "owner@practice.example";

/** `answers`: what each configured channel says of every message. Without a channel, applications are filed. */
export async function deliverWith(
  { store, folder }: Pick<TemporaryStore, "store" | "folder">,
  answers: Partial<Record<ProviderChannel, Answer>>,
  now = TEST_NOW,
): Promise<void> {
  const outbox = join(folder, "outbox");
  const channels: Channels = {};
  for (const name of PROVIDER_CHANNELS) {
    const answer = answers[name];
    if (answer) channels[name] = channelOf(name, answer);
  }
  if (Object.keys(channels).length === 0) channels.file = openFileChannel(outbox);
  const worker = new DeliveryWorker({
    store,
    channels,
    caps: { hourly: 30, daily: 100 },
    retention: { retentionDays: 90, dataDir: folder },
    now: () => now,
    random: () => 0,
  });
  // One pass for each channel: a rejection by one channel makes the message of the other one due.
  for (const _pass of PROVIDER_CHANNELS) {
    await worker.runPass();
    await worker.waitUntilIdle();
  }
  await worker.stop();
}

function channelOf(channel: ProviderChannel, answer: Answer): Channel {
  return {
    recipients: [channel === "sms" ? OWNER_PHONE : OWNER_MAIL],
    slots: 4,
    timeoutMs: 1_000,
    segments: () => (channel === "sms" ? 1 : 0),
    isShortened: () => false,
    transmit: async (_message, _recipient, { beforeTransmit }) => {
      await beforeTransmit?.();
      return answer;
    },
  };
}
