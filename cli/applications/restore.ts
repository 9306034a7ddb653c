import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { nameAt } from "#cli/applications/backup.ts";
import { type Command, UsageFault } from "#cli/applications/command.ts";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import { backupsFolder, restoreBackup } from "#lib/storage/backups.ts";
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";

const WITH_PG_RESTORE = `PostgreSQL은 그 서버의 도구로 되돌립니다. 먼저 사이트를 멈춰 주세요.
pg_restore --clean --if-exists --dbname="$DATABASE_URL" applications.dump`;
const NO_BACKUP = "이 파일은 이 사이트의 백업이 아니어서 되돌리지 않았습니다.";

/** What keeps a backup from being restored; the rest is said as of the database. */
const REFUSALS: Partial<Record<UnavailableReason, string>> = {
  locked: "사이트가 켜져 있어 되돌리지 않았습니다. 먼저 사이트를 멈춰 주세요.",
  corrupt: "백업 파일이 손상되어 되돌리지 않았습니다. 다른 백업을 골라 주세요.",
  foreign: NO_BACKUP,
  missing: NO_BACKUP,
};

/** Puts a backup in the place of the database of a stopped site; what was there is kept among the backups. */
export const restore: Command = {
  usage: "restore 백업파일",
  does: "멈춘 사이트에 백업을 되돌리기",

  async run([typed, ...rest], config) {
    const { databaseFile, databaseUrl } = config;
    if (databaseUrl !== undefined) throw new CommandFault(WITH_PG_RESTORE);
    if (typed === undefined || rest.length > 0) throw new UsageFault();
    const backup = resolve(typed);
    if (!existsSync(backup)) throw new CommandFault(`${backup} 파일이 없습니다.`);
    const aside = join(backupsFolder(config), nameAt("before-restore", Date.now()));
    const applications = await restoreBackup(backup, databaseFile, aside).catch(
      (error: unknown) => {
        const refusal = error instanceof StorageUnavailable && REFUSALS[error.reason];
        throw refusal ? new CommandFault(refusal) : error;
      },
    );
    say(`신청 ${applications}건이 들어 있는 백업을 되돌렸습니다. 이제 사이트를 시작해 주세요.`);
    if (existsSync(aside)) {
      say(
        `전에 있던 데이터베이스는 ${aside} 에 두었습니다. 개인정보가 들어 있으니 필요 없으면 지워 주세요.`,
      );
    }
    return 0;
  },
};
