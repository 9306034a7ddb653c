import { setTimeout as pause } from "node:timers/promises";
import { formatApplicationId } from "#lib/application/number.ts";
import { normalisePhone } from "#lib/application/phone.ts";
import { deleteMessagesOf } from "#lib/channels/file.ts";
import { outboxFolder } from "#lib/channels/open.ts";
import type { Config } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { type Command, say } from "#scripts/command.ts";

/** A worker holds an application for two minutes at most, unless it sends it meanwhile. */
const PATIENCE_MS = 130_000;
const PAUSE_MS = 500;

/** Deletes everything of one person: rows, keys, journal and message files. */
export const forget: Command = {
  usage: "forget PHONE",
  does: "delete everything of the person with this number",

  async run([typed = ""], config: Config) {
    const phone = normalisePhone(typed);
    if (phone === undefined) {
      say("Usage: npm run applications -- forget PHONE, such as 010-1234-5678");
      return false;
    }
    const store = openStore(config);
    try {
      const { applicationIds, complete } = await forgetPatiently(store, phone);
      const files = await deleteMessagesOf(outboxFolder(config), applicationIds);
      const numbers = applicationIds.map(formatApplicationId).join(", ");
      say(`Applications deleted: ${applicationIds.length}${numbers && ` (${numbers})`}`);
      say(`Message files deleted: ${files}`);
      say("What has been sent lies outside: delete it in the mailbox, on the phone and at Twilio.");
      if (!complete) say("Not everything could be deleted, the site is busy: run this once more.");
      return complete;
    } finally {
      await store.close();
    }
  },
};

/** Waits for a delivery under way and for a reader of the journal. */
async function forgetPatiently(store: Store, phone: string) {
  const deadline = Date.now() + PATIENCE_MS;
  const applicationIds: string[] = [];
  for (;;) {
    const forgotten = await store.forgetPhone(phone);
    applicationIds.push(...forgotten.applicationIds);
    const complete = forgotten.underWay === 0 && forgotten.journalPurged;
    if (complete || Date.now() > deadline) return { applicationIds, complete };
    await pause(PAUSE_MS);
  }
}
