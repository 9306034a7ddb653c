import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type Command,
  refuseMissingDatabase,
  UsageFault,
  withStore,
} from "#cli/applications/command.ts";
import { makeFolder, newFile } from "#cli/applications/new-file.ts";
import { CommandFault } from "#cli/command-fault.ts";
import { complain, say } from "#cli/say.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { backUp, backupsFolder, keepNewest } from "#lib/storage/backups.ts";

/** A copy of the database, sound and whole, also while the site takes applications. */
export const backup: Command = {
  usage: "backup [파일]",
  does: "모든 신청을 파일 하나로 백업 (파일을 적지 않으면 data/backups)",
  options: ["--nightly   매일 밤의 백업: 최근 14일치만 남김"],

  async run(args, config) {
    const options = { nightly: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [typed] = positionals;
    if (positionals.length > 1) throw new UsageFault();
    if (config.databaseUrl !== undefined) {
      if (!values.nightly) throw new CommandFault(WITH_PG_DUMP);
      say(WITH_PG_DUMP);
      return 0;
    }
    refuseMissingDatabase(config);
    const own = backupsFolder(config);
    const at = Date.now();
    const file = resolve(typed ?? join(own, nameAt("applications", at)));
    const copy = () => newFile(file, (aside) => backUp(config.databaseFile, aside));
    let applications: number;
    try {
      if (typed === undefined) await makeFolder(own);
      applications = await copy();
    } catch (error) {
      // A path that was mistyped is no failure of the site's own backups.
      if (typed === undefined) await note(config, "backup-failure", at, messageOf(error));
      throw error;
    }
    await note(config, "backup", at, basename(file));
    if (values.nightly) await keepNewest(own);
    const megabytes = (statSync(file).size / 1_000_000).toFixed(1);
    say(`신청 ${applications}건을 백업하고 다시 읽어 확인했습니다: ${file} (${megabytes} MB)`);
    say("되돌리기: 사이트를 멈추고 restore 명령에 이 파일을 적습니다.");
    if (dirname(file) !== own) {
      say(
        "개인정보가 들어 있습니다. 이곳의 백업에서는 보관 기간이 지난 신청이 저절로 지워지지 않습니다.",
      );
    }
    return 0;
  },
};

const messageOf = (error: unknown) => (error instanceof Error ? error.message : "unknown");

/** For health and the doctor. A note that cannot be written does not change how the backup ended. */
async function note(
  config: Config,
  name: "backup" | "backup-failure",
  at: number,
  value: string,
): Promise<void> {
  await withStore(config, (store) => store.writeNote(name, { at, value })).catch((error: unknown) =>
    complain(`백업 결과를 기록하지 못했습니다: ${messageOf(error)}`),
  );
}

const WITH_PG_DUMP = `PostgreSQL은 그 서버의 도구로 백업합니다. 사이트를 멈추지 않아도 됩니다.
pg_dump --format=custom --file=applications.dump "$DATABASE_URL"`;

/** `applications-2026-12-01_093000.db` */
export function nameAt(name: string, time: number): string {
  const [date = "", clock = ""] = seoulIso(time).slice(0, 19).split("T");
  return `${name}-${date}_${clock.replaceAll(":", "")}.db`;
}
