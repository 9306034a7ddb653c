import { koreanDay, seoulDateTime } from "#lib/application/seoul-time.ts";
import { summaryWeek } from "#lib/application/weekly-summary.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, ok, warn } from "#lib/finding.ts";
import { openStore } from "#lib/storage/open.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A week, and the two days in which a summary is still made up for. */
const LATE_MS = 9 * DAY_MS;
const CHECK = "weekly-summary";

/** When the owner last got the summary of the week, and whether this Monday's is stuck. */
export async function examineWeekly(config: Config, now = Date.now()): Promise<Finding> {
  if (!config.weeklySummary)
    return ok(CHECK, "주간 소식은 설정(WEEKLY_SUMMARY)에서 꺼져 있습니다.");
  const store = openStore(config);
  try {
    return findingOn(await store.lastSummaries(), now);
  } finally {
    await store.close();
  }
}

type LastSummaries = Awaited<ReturnType<ReturnType<typeof openStore>["lastSummaries"]>>;

function findingOn({ settled, newest }: LastSummaries, now: number): Finding {
  const sentAt = settled && (settled.settled_at ?? now);
  const when = sentAt && seoulDateTime(sentAt, now);
  if (newest && newest.attempts > 0 && newest.monday !== settled?.monday) {
    const { monday, lateAt } = summaryWeek(now);
    const isOpen = newest.monday === monday && now < lateAt;
    return warn(
      CHECK,
      [
        `${koreanDay(newest.monday, now)} 주간 소식을 ${newest.attempts}번 시도했지만 보내지 못했습니다.`,
        when ? `마지막으로 보낸 때는 ${when}입니다.` : "그 전에 보낸 적은 없습니다.",
        "메일과 문자가 나가는지 확인해 주세요.",
        isOpen ? "고치면 자동으로 보냅니다." : "빠진 기간은 다음 주간 소식에 함께 담깁니다.",
      ].join(" "),
    );
  }
  if (settled === undefined || sentAt === undefined)
    return ok(CHECK, "주간 소식은 아직 보낸 적이 없고, 월요일 오전 9시에 보냅니다.");
  if (settled.state === "unknown") {
    return warn(
      CHECK,
      `마지막 주간 소식(${when})은 보냈는지 확실하지 않습니다. 사장님이 받지 못했다면 npm run applications -- weekly --send로 다시 보내 주세요.`,
    );
  }
  return now - sentAt > LATE_MS
    ? warn(
        CHECK,
        `마지막 주간 소식을 ${when}에 보냈고, 그 뒤로 보내지 못했습니다. 사이트가 월요일 오전 9시에 켜져 있었는지, 메일과 문자가 나가는지 확인해 주세요.`,
      )
    : ok(CHECK, `마지막 주간 소식을 ${when}에 보냈습니다.`);
}
