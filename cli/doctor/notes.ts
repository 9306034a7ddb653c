/** What the site and the nightly backup have noted: a clock that jumped, a backup that failed, what was only filed. */
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";
import { openStore } from "#lib/storage/open.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A nightly backup that is older than this has not run. */
const BACKUP_STALE_MS = 3 * DAY_MS;

/** No finding where nothing was noted, and nothing filed. */
export async function examineNotes(config: Config, now: number): Promise<Finding[]> {
  const store = openStore(config);
  try {
    const jump = await store.findNote("clock-jump");
    const backup = await store.findNote("backup");
    const failure = await store.findNote("backup-failure");
    const { filed, oldestFiledSince } = await store.counts();
    const findings: Finding[] = [];
    if (oldestFiledSince !== undefined) {
      const sentence = `문자와 메일이 설정되지 않아 파일로만 보관한 신청이 ${filed}건 있고, 가장 오래된 것은 ${seoulDateTime(oldestFiledSince)}에 접수되었습니다. .env에 설정하고 사이트를 다시 시작하면 나갑니다.`;
      findings.push(warn("filed", sentence));
    }
    if (jump && Math.abs(now - jump.at) < DAY_MS) {
      const hours = Math.round(Math.abs(Number(jump.value)) / 3_600_000).toLocaleString("ko-KR");
      const sentence = `서버 시계가 ${seoulDateTime(jump.at)}에 ${hours}시간 바뀌었습니다. 시간이 맞는지 확인해 주세요. 하루 동안은 기간이 지난 신청도 지우지 않습니다.`;
      findings.push(warn("clock-jump", sentence));
    }
    if (failure && failure.at > (backup?.at ?? 0)) {
      const sentence = `마지막 백업이 실패했습니다(${seoulDateTime(failure.at)}). 디스크와 백업 폴더의 권한을 확인해 주세요. (${failure.value})`;
      findings.push(fault("backup", sentence));
    } else if (backup && now - backup.at > BACKUP_STALE_MS) {
      const sentence = `마지막 백업이 ${seoulDateTime(backup.at)}의 것입니다. 매일 밤의 백업이 켜져 있는지 확인해 주세요.`;
      findings.push(warn("backup", sentence));
    } else if (backup) {
      findings.push(ok("backup", `마지막 백업은 ${seoulDateTime(backup.at)}에 끝났습니다.`));
    }
    return findings;
  } finally {
    await store.close();
  }
}
