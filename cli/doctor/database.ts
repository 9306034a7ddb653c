import { existsSync } from "node:fs";
import { examineReports, type Reports } from "#cli/doctor/reports.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok } from "#lib/finding.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { openStore } from "#lib/storage/open.ts";

interface Examined extends Partial<Reports> {
  finding: Finding;
  /** When the latest application came in, ms since the epoch. */
  newestAt?: number | undefined;
}

/** Damage, version, whether an application could be stored now, and what lies in it for the doctor. */
export async function examineDatabase(config: Config): Promise<Examined> {
  if (isBeforeFirstStart(config)) {
    return { finding: ok("database", "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.") };
  }
  const store = openStore(config);
  try {
    await store.probeWrite(Date.now());
    const [newest] = await store.list({ limit: 1 });
    const finding = ok("database", "데이터베이스가 온전하고 신청을 저장할 수 있습니다.");
    return { finding, newestAt: newest?.submittedAt, ...(await examineReports(store, config)) };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    return { finding: fault("database", STORAGE_FAULTS[error.reason]) };
  } finally {
    await store.close();
  }
}

/** Looking must not begin an empty database, such as in a mistyped folder. */
function isBeforeFirstStart({ databaseFile, databaseUrl }: Config): boolean {
  if (databaseUrl !== undefined) return false;
  return !existsSync(databaseFile) && !existsSync(`${databaseFile}.created`);
}
