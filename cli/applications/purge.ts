import { type Command, UsageFault, withStore } from "#cli/applications/command.ts";
import { complain, say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { outboxFolder } from "#lib/channels/open.ts";
import { deleteExpired } from "#lib/delivery/retention.ts";
import { backupsFolder } from "#lib/storage/sqlite/backups.ts";

/** Deletes now what the site deletes every hour. */
export const purge: Command = {
  usage: "purge",
  does: "보관 기간이 지난 신청을 지금 지우기",

  async run(args, config) {
    if (args.length > 0) throw new UsageFault();
    const retention = {
      days: config.retentionDays,
      folder: outboxFolder(config),
      backups: backupsFolder(config),
    };
    const deleted = await withStore(config, (store) => deleteExpired(store, retention, Date.now()));
    const { before, applicationIds, files, backups } = deleted;
    const numbers = applicationIds.map(formatApplicationId).join(", ");
    say(`${seoulDateTime(before)} 이전에 전달된 것까지 지웠습니다(보관 기간 ${retention.days}일).`);
    say(`지운 신청: ${applicationIds.length}건${numbers && ` (${numbers})`}`);
    say(`지운 파일: outbox의 ${files}개`);
    if (backups.cleaned.length > 0) say(`백업에서도 지웠습니다: ${backups.cleaned.join(", ")}`);
    if (backups.failed.length === 0) return 0;
    complain(`이 백업에서는 지우지 못했습니다. 직접 지워 주세요: ${backups.failed.join(", ")}`);
    return 1;
  },
};
