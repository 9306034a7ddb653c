import { type Command, CommandError, UsageError, withStore } from "#cli/applications/command.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { normalisePhone } from "#lib/application/phone.ts";
import { deleteFilesAbout } from "#lib/channels/file.ts";
import { fileChannelFolder } from "#lib/channels/registry.ts";
import { backupsFolder, forgetInBackups } from "#lib/storage/backups.ts";
import type { Store } from "#lib/storage/store.ts";

export const forgetCommand: Command = {
  usage: "forget 전화번호",
  does: "이 번호로 신청한 사람의 정보를 모두 지우기",

  async run(words, config) {
    const phone = normalisePhone(words.join(" "));
    if (phone === undefined) throw new UsageError();
    const messageFolder = fileChannelFolder(config);
    const backups = await forgetInBackups(backupsFolder(config), phone);
    const { complete, applicationIds, deleted, left } = await withStore(config, (store) =>
      forgetInStoreAndFiles(store, phone, messageFolder, backups.applicationIds),
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
    if (remains.length > 0) throw new CommandError(remains.join("\n"));
  },
};

/** `deleted`: the number of deleted message files. `left`: the applications whose files could not be deleted. */
export async function forgetInStoreAndFiles(
  store: Pick<Store, "findIds" | "forgetPhone">,
  phone: string,
  messageFolder: string,
  idsInBackups: readonly string[] = [],
) {
  // Files are deleted before rows, because a second run finds the remaining files by the rows.
  const stored = await store.findIds("phone", [phone]);
  const left: string[] = [];
  let deleted = 0;
  for (const applicationId of new Set([...idsInBackups, ...stored])) {
    try {
      deleted += await deleteFilesAbout(messageFolder, applicationId);
    } catch {
      left.push(applicationId);
    }
  }
  const { applicationIds, underWay, journalPurged } = await store.forgetPhone(phone);
  return { applicationIds, deleted, left, complete: underWay === 0 && journalPurged };
}
