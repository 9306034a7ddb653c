/** For tests: the real worker takes one turn, with carriers that answer as told. */
import { join } from "node:path";
import type { MessageCarrier, SendEnd } from "#lib/channels/carrier.ts";
import { openFileCarrier } from "#lib/channels/file.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { Carrier } from "#lib/storage/tables.ts";
import { TEST_NOW, type TemporaryStore } from "#testing/storage/temporary-store.ts";

const RECIPIENTS: Readonly<Record<Carrier, string>> = {
  sms: "+821099990000",
  mail: "owner@practice.example",
};

/** How each configured carrier ends every send; without any, applications are filed. */
export async function oneTurn(
  { store, folder }: Pick<TemporaryStore, "store" | "folder">,
  ends: Partial<Record<Carrier, SendEnd>>,
  now = TEST_NOW,
): Promise<void> {
  const outbox = join(folder, "outbox");
  const mail = { from: "site@localhost", to: [RECIPIENTS.mail] };
  const worker = new DeliveryWorker({
    store,
    carriers: {
      file: openFileCarrier(outbox, mail),
      ...(ends.sms && { sms: carrierOf("sms", ends.sms) }),
      ...(ends.mail && { mail: carrierOf("mail", ends.mail) }),
    },
    caps: { hourly: 30, daily: 100 },
    retention: { days: 90, folder: outbox, backups: join(folder, "backups") },
    now: () => now,
    random: () => 0,
  });
  await worker.turn();
  await worker.idle();
  await worker.stop();
}

function carrierOf(carrier: Carrier, end: SendEnd): MessageCarrier {
  return {
    recipients: [RECIPIENTS[carrier]],
    tryLimitMs: 1_000,
    segments: () => (carrier === "sms" ? 1 : 0),
    shortens: () => false,
    send: async (_message, recipients, { mayLeave }) => {
      await mayLeave?.();
      return recipients.map(() => end);
    },
  };
}
