import { existsSync } from "node:fs";
import type { ParseArgsOptionsConfig } from "node:util";
import { hasDatabase } from "#cli/database-state.ts";
import { parseApplicationId } from "#lib/application/application-id.ts";
import { writeAtomically } from "#lib/atomic-file.ts";
import type { Config } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";

export interface Command {
  usage: string;
  purpose: string;
  options?: ParseArgsOptionsConfig;
  /** @throws UsageError, CommandError, StorageUnavailable */
  run(words: string[], config: Config, options: Record<string, unknown>): Promise<void>;
}

/** The Korean message tells the owner why the command failed, and what to do. */
export class CommandError extends Error {}

/** The Korean message, which may be empty, is printed above the usage. */
export class UsageError extends Error {}

export type FoundApplication = NonNullable<Awaited<ReturnType<Store["find"]>>>;

const NOT_A_NUMBER_TEXT =
  "접수번호를 7K3M-PQ9X처럼 여덟 글자로 적어 주세요. 숫자 0, 1과 영문 I, L, O, U는 접수번호에 쓰이지 않습니다.";
const NO_SUCH_APPLICATION_TEXT =
  "그런 접수번호의 신청이 없습니다. 보관 기간이 지나 삭제되었을 수 있습니다.";

/** @throws CommandError when there is no database yet */
export async function withStore<Result>(config: Config, work: (store: Store) => Promise<Result>) {
  refuseMissingDatabase(config);
  const store = openStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Finds the application whose number was typed, such as `7k3m pq9x`. @throws UsageError, CommandError */
export async function withApplication(
  config: Config,
  typed: string[],
  work: (found: FoundApplication, store: Store) => Promise<void> | void,
): Promise<void> {
  const applicationId = parseApplicationId(typed.join(""));
  if (applicationId === undefined) throw new UsageError(NOT_A_NUMBER_TEXT);
  await withStore(config, async (store) => {
    const found = await store.find(applicationId);
    if (found === undefined) throw new CommandError(NO_SUCH_APPLICATION_TEXT);
    await work(found, store);
  });
}

export function refuseMissingDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new CommandError(
    `데이터베이스가 없습니다: ${config.databaseFile}\n사이트를 한 번 시작한 폴더에서 실행하고, .env의 DATA_DIR과 DATABASE_URL을 확인해 주세요.`,
  );
}

/** `write` gets the path of a temporary file. @throws CommandError when `file` exists */
export async function writeNewFile<Result>(
  file: string,
  write: (temporary: string) => Promise<Result> | Result,
): Promise<Result> {
  if (existsSync(file))
    throw new CommandError(`${file} 파일이 이미 있어 그대로 두었습니다. 다른 이름을 적어 주세요.`);
  return writeAtomically(file, write);
}
