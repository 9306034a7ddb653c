import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { writingFault } from "#cli/doctor/machine.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok } from "#lib/finding.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { openStore } from "#lib/storage/open.ts";

interface Examined {
  finding: Finding;
  /** When the latest application came in, ms since the epoch. */
  newestAt?: number | undefined;
  /** It can be asked for more. */
  isOpen: boolean;
}

/** Damage, version, and whether an application could be stored now; the latest application, for the clock. */
export async function examineDatabase(config: Config): Promise<Examined> {
  const unwritable = folderFault(config);
  if (unwritable) return { finding: fault("database", unwritable), isOpen: false };
  if (isBeforeFirstStart(config)) {
    const sentence = "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.";
    return { finding: ok("database", sentence), isOpen: false };
  }
  const store = openStore(config);
  try {
    await store.probeWrite(Date.now());
    const [newest] = await store.list({ limit: 1 });
    const sentence = "데이터베이스가 온전하고 신청을 저장할 수 있습니다.";
    return { finding: ok("database", sentence), newestAt: newest?.submittedAt, isOpen: true };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    return { finding: fault("database", STORAGE_FAULTS[error.reason]), isOpen: false };
  } finally {
    await store.close();
  }
}

/** Looking must not begin an empty database, such as in a mistyped folder. */
function isBeforeFirstStart({ databaseFile, databaseUrl }: Config): boolean {
  if (databaseUrl !== undefined) return false;
  return !existsSync(databaseFile) && !existsSync(`${databaseFile}.created`);
}

function folderFault({ databaseFile, databaseUrl }: Config): string | undefined {
  const folder = dirname(databaseFile);
  if (databaseUrl !== undefined || !existsSync(folder)) return undefined;
  return writingFault(folder, "데이터베이스의 폴더");
}
