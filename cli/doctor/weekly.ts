import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, ok, warn } from "#lib/finding.ts";
import { openStore } from "#lib/storage/open.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A week, and the two days in which a summary is still made up for. */
const LATE_MS = 9 * DAY_MS;

/** When the owner last got the summary of the week. */
export async function examineWeekly(config: Config, now = Date.now()): Promise<Finding> {
  const check = "weekly-summary";
  if (!config.weeklySummary)
    return ok(check, "주간 소식은 설정(WEEKLY_SUMMARY)에서 꺼져 있습니다.");
  const store = openStore(config);
  try {
    const last = await store.lastSummary();
    if (last === undefined) {
      return ok(check, "주간 소식은 아직 보낸 적이 없고, 월요일 오전 9시에 보냅니다.");
    }
    const sentAt = last.settled_at ?? now;
    const when = seoulDateTime(sentAt, now);
    if (last.state === "unknown") {
      return warn(
        check,
        `마지막 주간 소식(${when})은 보냈는지 확실하지 않습니다. 사장님이 받지 못했다면 npm run applications -- weekly --send로 다시 보내 주세요.`,
      );
    }
    return now - sentAt > LATE_MS
      ? warn(
          check,
          `마지막 주간 소식을 ${when}에 보냈고, 그 뒤로 보내지 못했습니다. 사이트가 월요일 오전 9시에 켜져 있었는지, 메일과 문자가 나가는지 확인해 주세요.`,
        )
      : ok(check, `마지막 주간 소식을 ${when}에 보냈습니다.`);
  } finally {
    await store.close();
  }
}
