import { type Command, type ExitCode, UsageFault, withStore } from "#cli/applications/command.ts";
import { CommandFault } from "#cli/command-fault.ts";
import { complain, say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { isCalendarDate, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
import { outboxFolder } from "#lib/channels/carriers.ts";
import { deleteExpired, isProven } from "#lib/delivery/retention.ts";
import { backupsFolder } from "#lib/storage/backups.ts";

const UNWATCHED =
  "아무것도 지우지 않았습니다. 사이트가 아직 하루 동안 서버 시계를 지켜보지 못했습니다. 시계가 틀리면 새 신청까지 지워지니, 오늘 날짜를 함께 적어 주세요. 예: purge 2026-12-01";
const OTHER_DAY =
  "아무것도 지우지 않았습니다. 서버 시계의 날짜가 적어 주신 날짜와 다릅니다. 서버 시계를 먼저 맞춰 주세요.";

/**
 * Deletes now what the site deletes every hour. With a wrong clock it would delete new applications: where no running
 * site has watched the clock for a day, the person types today's date.
 */
export const purge: Command = {
  usage: "purge [오늘 날짜]",
  does: "보관 기간이 지난 신청을 지금 지우기",

  async run([today, ...rest], config) {
    const isMeant = today === undefined || isCalendarDate(today);
    if (!isMeant || rest.length > 0) throw new UsageFault();
    const retention = {
      days: config.retentionDays,
      folder: outboxFolder(config),
      backups: backupsFolder(config),
    };
    const deleted = await withStore(config, async (store) => {
      const note = await store.findNote("clock");
      const now = store.now();
      if (today !== undefined && today !== seoulDate(now)) throw new CommandFault(OTHER_DAY);
      if (today === undefined && !isProven(note, now)) throw new CommandFault(UNWATCHED);
      return deleteExpired(store, retention, now);
    });
    const { before } = deleted;
    say(`${seoulDateTime(before)} 이전에 전달된 것까지 지웠습니다(보관 기간 ${retention.days}일).`);
    tellDeleted(deleted, deleted.backups.cleaned);
    return tellFailed(deleted.backups.failed);
  },
};

/** What was deleted, where. */
export function tellDeleted(
  { applicationIds, files }: { applicationIds: readonly string[]; files: number },
  backups: readonly string[],
): void {
  const numbers = applicationIds.map(formatApplicationId).join(", ");
  say(`지운 신청: ${applicationIds.length}건${numbers && ` (${numbers})`}`);
  say(`지운 파일: outbox의 ${files}개`);
  if (backups.length > 0) say(`백업에서도 지웠습니다: ${backups.join(", ")}`);
}

/** The backups in which it could not be deleted. */
export function tellFailed(backups: readonly string[]): ExitCode {
  if (backups.length === 0) return 0;
  complain(`이 백업에서는 지우지 못했습니다. 직접 지워 주세요: ${backups.join(", ")}`);
  return 1;
}
