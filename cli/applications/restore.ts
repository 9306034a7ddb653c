import { existsSync } from "node:fs";
import { copyFile, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { nameAt } from "#cli/applications/backup.ts";
import { type Command, UsageFault } from "#cli/applications/command.ts";
import { makeFolder, newFile } from "#cli/applications/new-file.ts";
import { CommandFault } from "#cli/command-fault.ts";
import { say } from "#cli/say.ts";
import { checkBackup, isInUse } from "#lib/storage/backups.ts";

const WITH_PG_RESTORE = `PostgreSQL은 그 서버의 도구로 되돌립니다. 먼저 사이트를 멈춰 주세요.
pg_restore --clean --if-exists --dbname="$DATABASE_URL" applications.dump`;
const STOP_FIRST = "사이트가 켜져 있어 되돌리지 않았습니다. 먼저 사이트를 멈춰 주세요.";
/** SQLite keeps these beside a database. Beside another one they would be taken for its own. */
const BESIDE = ["", "-wal", "-shm"];

/** Puts a backup in the place of the database of a stopped site; what was there is kept beside it. */
export const restore: Command = {
  usage: "restore 백업파일",
  does: "멈춘 사이트에 백업을 되돌리기",

  async run([typed, ...rest], { databaseFile, databaseUrl }) {
    if (databaseUrl !== undefined) throw new CommandFault(WITH_PG_RESTORE);
    if (typed === undefined || rest.length > 0) throw new UsageFault();
    const backup = resolve(typed);
    if (!existsSync(backup)) throw new CommandFault(`${backup} 파일이 없습니다.`);
    if (await isInUse(databaseFile)) throw new CommandFault(STOP_FIRST);
    const applications = checkBackup(backup);
    await makeFolder(dirname(databaseFile));
    // First a whole copy on this disk, so that a full disk changes nothing.
    const copied = `${databaseFile}.${process.pid}.restored`;
    await newFile(copied, (aside) => copyFile(backup, aside));
    const aside = join(dirname(databaseFile), nameAt("before-restore", Date.now()));
    const kept = existsSync(databaseFile);
    for (const ending of BESIDE) await moveAway(databaseFile + ending, aside + ending);
    await rename(copied, databaseFile);
    say(`신청 ${applications}건이 들어 있는 백업을 되돌렸습니다. 이제 사이트를 시작해 주세요.`);
    if (kept) {
      say(
        `전에 있던 데이터베이스는 ${aside} 에 두었습니다. 개인정보가 들어 있으니 필요 없으면 지워 주세요.`,
      );
    }
    return 0;
  },
};

async function moveAway(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to);
}
