import { existsSync } from "node:fs";
import { CommandFault } from "#cli/command-fault.ts";
import { parseApplicationId } from "#lib/application/application-id.ts";
import type { Config } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";

/** 0: all went well. 1: it did not. 2: the command was not understood. */
export type ExitCode = 0 | 1 | 2;

/** A command of `npm run applications`. */
export interface Command {
  /** `forget 전화번호` */
  usage: string;
  /** What it does, in a line. */
  does: string;
  /** Its options, a line each. */
  options?: string[];
  /** @throws UsageFault, CommandFault, StorageUnavailable */
  run(args: string[], config: Config): Promise<ExitCode>;
}

/** The command was used wrongly; the message, if any, says why, in Korean. */
export class UsageFault extends Error {
  override name = "UsageFault";
}

/** An application with each message that was begun for it. */
export type FoundApplication = NonNullable<Awaited<ReturnType<Store["find"]>>>;

export const NO_SUCH_APPLICATION =
  "그런 접수번호의 신청이 없습니다. 보관 기간이 지나 삭제되었을 수 있습니다.";

/** Works on the configured store, beside the site. @throws CommandFault where there is none yet. */
export async function withStore<Result>(
  config: Config,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  refuseMissingDatabase(config);
  const store = openStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Works on the application whose number was typed, such as `7k3m-pq9x`. @throws UsageFault, CommandFault */
export async function withApplication<Result>(
  config: Config,
  typed: string,
  work: (found: FoundApplication, store: Store) => Promise<Result> | Result,
): Promise<Result> {
  const applicationId = parseApplicationId(typed);
  if (applicationId === undefined) {
    throw new UsageFault("접수번호를 적어 주세요. 예: 7K3M-PQ9X");
  }
  return withStore(config, async (store) => {
    const found = await store.find(applicationId);
    if (found === undefined) throw new CommandFault(NO_SUCH_APPLICATION);
    return work(found, store);
  });
}

/** Looking at applications must not begin an empty database, such as in a mistyped folder. */
export function refuseMissingDatabase({ databaseFile, databaseUrl }: Config): void {
  if (databaseUrl !== undefined) return;
  if (existsSync(databaseFile) || existsSync(`${databaseFile}.created`)) return;
  throw new CommandFault(
    `데이터베이스가 없습니다: ${databaseFile}\n사이트를 한 번 시작한 폴더에서 실행하고, .env의 DATA_DIR과 DATABASE_URL을 확인해 주세요.`,
  );
}
