import { describeStorageError, hasDatabase } from "#cli/database-state.ts";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";

const clockFindingCreators = findingCreators("clock");

/** The newest application may be this much later than the clock here: another server may have stored it. */
const MAX_CLOCK_LAG_MS = 2 * MINUTE;

/** Never rejects: an error of the database becomes a finding. `cdnNote` is about PUBLIC_PROXIES. */
export async function examineDatabase(config: Config) {
  const { ok, warn, fault } = findingCreators("storage");
  if (!hasDatabase(config))
    return { findings: [ok("데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.")] };
  const store = openStore(config);
  try {
    const now = Date.now();
    await store.probeAcceptance(now, true);
    const storageFinding = ok("데이터베이스가 온전하고 신청을 저장할 수 있습니다.");
    const checks = [describeClockLag, describeClockJump, describeLastBackup].map((check) =>
      check(store, now, config),
    );
    const otherFindings = await Promise.all(checks);
    const delivery = await deliveryFindings(store, config, now, true);
    const findings = [...delivery, storageFinding, ...otherFindings].filter(
      (finding) => finding !== undefined,
    );
    return { findings, cdnNote: await store.readNote("cdn") };
  } catch (error) {
    // Tables of an earlier version are no fault: its site may still be running on them.
    const hasOlderSchema = error instanceof StorageUnavailable && error.reason === "older-schema";
    return { findings: [(hasOlderSchema ? warn : fault)(describeStorageError(error, config))] };
  } finally {
    await store.close().catch(() => undefined);
  }
}

async function describeClockLag(store: Store, now: number): Promise<Finding | undefined> {
  const [newest] = await store.list({ limit: 1 });
  const lag = newest ? newest.submittedAt - now : 0;
  if (lag <= MAX_CLOCK_LAG_MS) return undefined;
  const minutes = Math.round(lag / MINUTE).toLocaleString("ko-KR");
  const sentence = `서버 시계가 마지막 신청보다 ${minutes}분 뒤처져 있습니다. 서버의 시간 동기화를 켜 주세요(timedatectl set-ntp true).`;
  return clockFindingCreators.fault(sentence);
}

async function describeClockJump(store: Store, now: number): Promise<Finding | undefined> {
  const jump = await store.readNote("clock-jump");
  if (!jump || now - jump.at >= DAY) return undefined;
  const hours = Math.round(Math.abs(Number(jump.value)) / HOUR).toLocaleString("ko-KR");
  const sentence = `서버 시계가 ${koreanDateTime(jump.at)}에 ${hours}시간 바뀌었습니다. 시간이 맞는지 확인해 주세요. 하루 동안은 기간이 지난 신청도 지우지 않습니다.`;
  return clockFindingCreators.warn(sentence);
}

/** PostgreSQL is backed up by its own tools. */
async function describeLastBackup(
  store: Store,
  now: number,
  { databaseUrl }: Config,
): Promise<Finding | undefined> {
  const { ok, warn } = findingCreators("backup");
  const last = await store.readNote("backup");
  if (last) return ok(`온전한 마지막 백업은 ${koreanDateTime(last.at, now)}에 끝났습니다.`);
  if (databaseUrl !== undefined) return undefined;
  return warn(
    "아직 백업이 없습니다. 매일 밤 backup 명령이 실행되게 해 주세요(docs/operations.md).",
  );
}
