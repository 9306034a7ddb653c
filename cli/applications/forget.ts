import { basename } from "node:path";
import { type Command, CommandError, UsageError, withStore } from "#cli/applications/command.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { formatPhone, normalisePhone } from "#lib/application/phone.ts";
import { deleteFilesAbout } from "#lib/channels/file.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS, fileChannelFolder } from "#lib/channels/registry.ts";
import { backupsFolder, forgetInBackups } from "#lib/storage/backups.ts";
import type { Store } from "#lib/storage/store.ts";

export const forgetCommand: Command = {
  usage: "forget 전화번호",
  purpose: "이 번호로 신청한 사람의 정보를 모두 지우기",

  async run(words, config) {
    const phone = normalisePhone(words.join(" "));
    if (phone === undefined) throw new UsageError();
    const messageFolder = fileChannelFolder(config);
    const backups = await forgetInBackups(backupsFolder(config), phone);
    const { underWay, areRowsErased, applicationIds, deletedFiles, left } = await withStore(
      config,
      (store) => forgetInStoreAndFiles(store, phone, messageFolder, backups.applicationIds),
    );
    const isKnown = applicationIds.length + underWay + backups.applicationIds.length > 0;
    const numbers = applicationIds.map(formatApplicationId).join(", ");
    if (isKnown) {
      console.info(`지운 신청: ${applicationIds.length}건${numbers && ` (${numbers})`}`);
      console.info(`지운 파일: outbox의 ${deletedFiles}개`);
    } else {
      console.info(
        `${formatPhone(phone)} 번호로 된 신청이 이 사이트와 백업에 없습니다. 번호를 확인해 주세요.`,
      );
    }
    if (backups.files.length > 0)
      console.info(`백업에서도 지웠습니다: ${backups.files.join(", ")}`);
    console.info(isKnown ? COPIES_ELSEWHERE : PERHAPS_COPIES_ELSEWHERE);
    const remains = [
      underWay > 0 &&
        `지금 보내고 있는 신청 ${underWay}건은 지우지 못했습니다. 몇 분 뒤에 한 번 더 실행해 주세요.`,
      !areRowsErased &&
        (config.databaseUrl ? NOT_ERASED_SENTENCE : heldOpenSentence(config.databaseFile)),
      left.length > 0 &&
        `outbox에서 이 번호의 파일을 지우지 못했습니다. 직접 지워 주세요: ${left.map(formatApplicationId).join(", ")}`,
      backups.failed.length > 0 &&
        `이 백업에서는 지우지 못했습니다. 직접 지워 주세요: ${backups.failed.join(", ")}`,
    ].filter((sentence) => sentence !== false);
    if (remains.length > 0) throw new CommandError(remains.join("\n"));
  },
};

const OTHER_PLACES_PHRASE = `다른 곳에 둔 백업과 내보낸 표(CSV), ${PROVIDER_CHANNELS.map((name) => CHANNEL_DEFINITIONS[name].whereKept).join(", ")}에는`;
const COPIES_ELSEWHERE = `${OTHER_PLACES_PHRASE} 아직 남아 있습니다. 직접 지워 주세요.`;
/** Said when nothing is found: an application may have been deleted after its retention. */
const PERHAPS_COPIES_ELSEWHERE = `전에 이 번호로 신청했다면 ${OTHER_PLACES_PHRASE} 남아 있을 수 있습니다.`;

/** Names another program as the cause, because no read of the site lasts as long as the erasure is tried again. */
const heldOpenSentence = (databaseFile: string) =>
  `지웠지만, 다른 프로그램(복제 도구, 데이터베이스 뷰어, 도는 중인 백업)이 데이터베이스를 열어 두어 지운 내용이 ${basename(databaseFile)}-wal 파일에 아직 남아 있습니다. 그 프로그램을 끝내고 한 번 더 실행해 주세요. 어느 프로그램인지 보기: lsof ${databaseFile}-wal`;

const NOT_ERASED_SENTENCE =
  "지웠지만, 데이터베이스 서버가 지운 자리를 아직 비우지 못했습니다(VACUUM). 잠시 뒤 한 번 더 실행해 주세요.";

/** `deletedFiles`: the number of deleted message files. `left`: the applications whose files could not be deleted. */
export async function forgetInStoreAndFiles(
  store: Pick<Store, "listApplicationIds" | "forgetPhone">,
  phone: string,
  messageFolder: string,
  idsInBackups: readonly string[] = [],
) {
  // Files are deleted before rows: if the process dies in between, a second run finds the other files by the rows.
  const stored = await store.listApplicationIds("phone", [phone]);
  const left: string[] = [];
  let deletedFiles = 0;
  for (const applicationId of new Set([...idsInBackups, ...stored])) {
    try {
      deletedFiles += await deleteFilesAbout(messageFolder, applicationId);
    } catch {
      left.push(applicationId);
    }
  }
  const { applicationIds, underWay, areRowsErased } = await store.forgetPhone(phone);
  return { applicationIds, underWay, areRowsErased, deletedFiles, left };
}
