import { setTimeout as pause } from "node:timers/promises";
import { type Command, CommandFault, UsageFault, withStore } from "#cli/applications/command.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { normalisePhone } from "#lib/application/phone.ts";
import { deleteMessagesOf } from "#lib/channels/file.ts";
import { outboxFolder } from "#lib/channels/registry.ts";
import { backupsFolder, cleanBackups } from "#lib/storage/backups.ts";
import type { Store } from "#lib/storage/store.ts";

/** Time that the command waits for a message under way. Afterwards the owner repeats the command. */
const RETRY_LIMIT_MS = 130_000;
const PAUSE_MS = 500;

/** Deletes everything of one person: rows, keys, journal, message files, and the backups in the data folder. */
export const forget: Command = {
  usage: "forget 전화번호",
  does: "이 번호로 신청한 사람의 정보를 모두 지우기",

  async run(words, config) {
    const phone = normalisePhone(words.join(" "));
    if (phone === undefined) throw new UsageFault();
    const outbox = outboxFolder(config);
    const backups = await cleanBackups(backupsFolder(config), { phone });
    const { complete, applicationIds, deleted, left } = await withStore(config, (store) =>
      forgetWithRetries(store, phone, outbox, backups.applicationIds),
    );
    const numbers = applicationIds.map(formatApplicationId).join(", ");
    console.info(`지운 신청: ${applicationIds.length}건${numbers && ` (${numbers})`}`);
    console.info(`지운 파일: outbox의 ${deleted}개`);
    if (backups.files.length > 0)
      console.info(`백업에서도 지웠습니다: ${backups.files.join(", ")}`);
    console.info(
      `다른 곳에 둔 백업과 내보낸 표(CSV), 메일함, 휴대폰, Twilio의 기록에는 아직 남아 있습니다. 직접 지워 주세요.`,
    );
    const remains = [
      !complete && "사이트가 바빠 다 지우지 못했습니다. 한 번 더 실행해 주세요.",
      left.length > 0 &&
        `outbox에서 이 번호의 파일을 지우지 못했습니다. 직접 지워 주세요: ${left.map(formatApplicationId).join(", ")}`,
      backups.failed.length > 0 &&
        `이 백업에서는 지우지 못했습니다. 직접 지워 주세요: ${backups.failed.join(", ")}`,
    ].filter((sentence) => sentence !== false);
    if (remains.length > 0) throw new CommandFault(remains.join("\n"));
  },
};

/**
 * Waits for a message that is being sent and for a reader of the journal. `deleted`: files in the outbox; `left`:
 * the applications whose files could not be deleted.
 */
export async function forgetWithRetries(
  store: Pick<Store, "findIds" | "forgetPhone">,
  phone: string,
  outbox: string,
  alsoInOutbox: readonly string[] = [],
) {
  const deadline = Date.now() + RETRY_LIMIT_MS;
  const applicationIds: string[] = [];
  let deleted = 0;
  let left: string[] = [];
  for (;;) {
    // The rows name the files: where a step fails, the next call still finds what is left.
    const stored = await store.findIds("phone", [phone]);
    const named = [...new Set([...alsoInOutbox, ...left, ...stored])];
    left = [];
    for (const applicationId of named) {
      const count = await deleteMessagesOf(outbox, applicationId).catch(() => undefined);
      if (count === undefined) left.push(applicationId);
      deleted += count ?? 0;
    }
    const forgotten = await store.forgetPhone(phone);
    applicationIds.push(...forgotten.applicationIds);
    const complete = forgotten.underWay === 0 && forgotten.journalPurged;
    if (complete || Date.now() > deadline) return { applicationIds, deleted, left, complete };
    await pause(PAUSE_MS);
  }
}
