/** Runs the real worker once, with channels whose outcomes the test chooses. */
import { join } from "node:path";
import type { Channel } from "#lib/channels/channel.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { AttemptResult } from "#lib/storage/queries/outcomes.ts";
import { TEST_NOW, type TemporaryStore } from "#testing/storage/temporary-store.ts";

const NUMBER = "+821099990000";
const ADDRESS = "owner@practice.example";

/** `results`: the outcome of every attempt on each configured channel. Without a channel, applications are filed. */
export async function runWorkerOnce(
  { store, folder }: Pick<TemporaryStore, "store" | "folder">,
  results: Partial<Record<ChannelName, AttemptResult>>,
  now = TEST_NOW,
): Promise<void> {
  const outbox = join(folder, "outbox");
  const channels: Channels = { writeFile: openFileChannel(outbox) };
  for (const name of CHANNEL_NAMES) {
    const result = results[name];
    if (result) channels[name] = channelOf(name, result);
  }
  const worker = new DeliveryWorker({
    store,
    channels,
    caps: { hourly: 30, daily: 100 },
    retention: { retentionDays: 90, dataDir: folder },
    now: () => now,
    random: () => 0,
  });
  await worker.runPass();
  await worker.idle();
  await worker.stop();
}

function channelOf(channel: ChannelName, result: AttemptResult): Channel {
  return {
    recipients: [channel === "sms" ? NUMBER : ADDRESS],
    timeoutMs: 1_000,
    segments: () => (channel === "sms" ? 1 : 0),
    isShortened: () => false,
    transmit: async (_message, recipients, { beforeTransmit }) => {
      await beforeTransmit?.();
      return recipients.map(() => result);
    },
  };
}
