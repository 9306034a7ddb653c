import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { writingFault } from "#cli/doctor/machine.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok } from "#lib/finding.ts";
import type { DatabaseState } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { inspectDatabase } from "#lib/storage/inspect.ts";
import { openStore } from "#lib/storage/open.ts";

/** Damage, version, and whether an application could be stored now; the state, for the clock. */
export async function examineDatabase(
  config: Config,
): Promise<{ finding: Finding; state: DatabaseState | undefined }> {
  let state: DatabaseState | undefined;
  const unwritable = folderFault(config);
  if (unwritable) return { finding: fault("database", unwritable), state };
  try {
    state = await inspectDatabase(config);
    if (state?.stepsBehind === 0) await tryWriting(config);
    return { finding: ok("database", sentenceOn(state)), state };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    return { finding: fault("database", STORAGE_FAULTS[error.reason]), state };
  }
}

function folderFault({ databaseFile, databaseUrl }: Config): string | undefined {
  const folder = dirname(databaseFile);
  if (databaseUrl !== undefined || !existsSync(folder)) return undefined;
  return writingFault(folder, "데이터베이스의 폴더");
}

function sentenceOn(state: DatabaseState | undefined): string {
  if (state === undefined) return "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.";
  if (state.stepsBehind > 0) return "데이터베이스는 온전하며, 다음 시작 때 새 형식으로 바뀝니다.";
  return "데이터베이스가 온전하고 신청을 저장할 수 있습니다.";
}

async function tryWriting(config: Config): Promise<void> {
  const store = openStore(config);
  try {
    await store.probeWrite(Date.now());
  } finally {
    await store.close();
  }
}
