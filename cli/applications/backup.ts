import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, resolve } from "node:path";
import {
  type Command,
  CommandError,
  refuseMissingDatabase,
  UsageError,
  withStore,
  writeNewFile,
} from "#cli/applications/command.ts";
import { errorCode } from "#lib/error-code.ts";
import { backUp, backupPath, backupsFolder, restoreBackup } from "#lib/storage/backups.ts";
import { StorageUnavailable, type UnavailableReason } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";

const PG_TOOLS_ADVICE = `PostgreSQL은 그 서버의 도구로 백업하고, 사이트를 멈춘 뒤에 되돌립니다.
pg_dump --format=custom --file=applications.dump "$DATABASE_URL"
pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" applications.dump`;

export const backupCommand: Command = {
  usage: "backup [파일]",
  purpose: "모든 신청을 파일 하나로 백업 (파일을 적지 않으면 data/backups에 두고, 14일 뒤에 지움)",

  async run([typed, ...rest], config) {
    if (rest.length > 0) throw new UsageError();
    if (config.databaseUrl !== undefined) throw new CommandError(PG_TOOLS_ADVICE);
    refuseMissingDatabase(config);
    const own = backupsFolder(config);
    const at = Date.now();
    // An update deletes the folder in which a command runs on a plain host.
    const file = resolve(config.dataDir, typed ?? backupPath(own, "applications", at));
    /** Health and the doctor report the note. */
    const leaveNote = (write: (store: Store) => Promise<void>) =>
      withStore(config, write).catch((error: unknown) =>
        console.error(`백업 결과를 기록하지 못했습니다: ${errorMessage(error)}`),
      );
    const writeBackup = async () => {
      if (typed === undefined) await mkdir(own, { recursive: true, mode: 0o700 });
      return writeNewFile(file, (temporary) => backUp(config.databaseFile, temporary));
    };
    const applications = await writeBackup().catch(async (error: unknown) => {
      // A name that is in use is a mistake in typing, about which the owner gets no alarm.
      if (!(error instanceof CommandError))
        await leaveNote((store) =>
          store.writeNote("backup-failure", { at, value: errorMessage(error) }),
        );
      throw error;
    });
    await leaveNote((store) => store.writeNote("backup", { at, value: basename(file) }));
    console.info(`신청 ${applications}건을 백업하고 다시 읽어 확인했습니다: ${file}`);
    console.info("되돌리기: 사이트를 멈추고 restore 명령에 이 파일을 적습니다.");
    if (typed === undefined) return;
    console.info("개인정보가 들어 있습니다. 이 파일은 자동으로 지워지지 않습니다.");
  },
};

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : "unknown");

const NOT_OUR_BACKUP = "이 파일은 이 사이트의 백업이 아니어서 되돌리지 않았습니다.";

const OTHER_DISK_REFUSAL =
  "백업 폴더가 데이터베이스와 다른 디스크에 있어 되돌리지 않았습니다. 데이터 폴더의 backups를 데이터베이스와 같은 디스크의 폴더로 바꾸고 다시 해 주세요.";

const RESTORE_REFUSALS: Partial<Record<UnavailableReason, string>> = {
  locked: "사이트가 켜져 있어 되돌리지 않았습니다. 먼저 사이트를 멈춰 주세요.",
  corrupt: "백업 파일이 손상되어 되돌리지 않았습니다. 다른 백업을 골라 주세요.",
  foreign: NOT_OUR_BACKUP,
  missing: NOT_OUR_BACKUP,
};

export const restoreCommand: Command = {
  usage: "restore 백업파일",
  purpose: "멈춘 사이트에 백업을 되돌리기",

  async run([typed, ...rest], config) {
    if (config.databaseUrl !== undefined) throw new CommandError(PG_TOOLS_ADVICE);
    if (typed === undefined || rest.length > 0) throw new UsageError();
    const file = resolve(typed);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new CommandError(`${file} 파일이 없습니다.`);
    const aside = backupPath(backupsFolder(config), "before-restore");
    const applications = await restoreBackup(file, config.databaseFile, aside).catch((error) => {
      if (!(error instanceof StorageUnavailable)) throw error;
      const refusal =
        errorCode(error.cause) === "EXDEV" ? OTHER_DISK_REFUSAL : RESTORE_REFUSALS[error.reason];
      throw refusal === undefined ? error : new CommandError(refusal);
    });
    console.info(
      `신청 ${applications}건이 들어 있는 백업을 되돌렸습니다. 이제 사이트를 시작해 주세요.`,
    );
    if (process.getuid?.() === 0) {
      console.info(
        `데이터 폴더는 root의 것입니다. 사이트를 다른 사용자로 실행하면 먼저 넘겨주세요: chown -R 사용자: ${config.dataDir}`,
      );
    }
    if (!existsSync(aside)) return;
    console.info(`전에 있던 데이터베이스는 ${aside} 에 두었습니다. 14일 뒤에 자동으로 지워집니다.`);
  },
};
