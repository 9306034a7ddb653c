/** What the site, its worker and the nightly backup have left in the store. */
import { koreanDay, seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";
import { deliveryFindings, filed } from "#lib/health.ts";
import type { Store } from "#lib/storage/store.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A nightly backup that is older than this has not run. */
const BACKUP_STALE_MS = 3 * DAY_MS;
/** A week, and the two days in which a summary is still made up for. */
const SUMMARY_LATE_MS = 9 * DAY_MS;
const SUMMARY = "weekly-summary";

export interface Reports {
  /** What keeps applications from the owner, to be told first. */
  urgent: Finding[];
  rest: Finding[];
}

export async function examineReports(
  store: Store,
  config: Config,
  now = Date.now(),
): Promise<Reports> {
  const urgent = await deliveryFindings(store, config, now);
  const filedOnly = filed(await store.counts(now));
  if (filedOnly && !urgent.some(({ check }) => check === filedOnly.check)) urgent.push(filedOnly);
  const rest = [
    await summary(store, config, now),
    await clockJump(store, now),
    await proxy(store, config),
    urgent.some(({ check }) => check === "backup") ? undefined : await backups(store, now),
  ];
  return { urgent, rest: rest.filter((finding) => finding !== undefined) };
}

async function clockJump(store: Store, now: number): Promise<Finding | undefined> {
  const jump = await store.findNote("clock-jump");
  if (!jump || Math.abs(now - jump.at) >= DAY_MS) return undefined;
  const hours = Math.round(Math.abs(Number(jump.value)) / 3_600_000).toLocaleString("ko-KR");
  const sentence = `서버 시계가 ${seoulDateTime(jump.at)}에 ${hours}시간 바뀌었습니다. 시간이 맞는지 확인해 주세요. 하루 동안은 기간이 지난 신청도 지우지 않습니다.`;
  return warn("clock-jump", sentence);
}

/** A proxy in front has named visitors, and nobody has told the site to believe it. */
async function proxy(store: Store, { trustedProxyHops }: Config): Promise<Finding | undefined> {
  const seen = await store.findNote("forwarded-for");
  if (!seen || trustedProxyHops > 0) return undefined;
  const sentence = `앞에 프록시가 있는데(${seoulDateTime(seen.at)}에 확인) TRUSTED_PROXY_HOPS가 0이라, 모든 방문자가 한 사람으로 계산되어 신청이 자동 입력으로 의심받거나 거절됩니다. .env에 프록시(nginx, Caddy 등)의 수를 넣어 주세요.`;
  return fault("proxy-seen", sentence);
}

async function backups(store: Store, now: number): Promise<Finding | undefined> {
  const backup = await store.findNote("backup");
  if (!backup) return undefined;
  const at = seoulDateTime(backup.at, now);
  return now - backup.at > BACKUP_STALE_MS
    ? warn("backup", `마지막 백업이 ${at}의 것입니다. 매일 밤의 백업이 켜져 있는지 확인해 주세요.`)
    : ok("backup", `마지막 백업은 ${at}에 끝났습니다.`);
}

/** When the owner last got the summary of the week, and whether this Monday's is stuck. */
async function summary(store: Store, { weeklySummary }: Config, now: number): Promise<Finding> {
  if (!weeklySummary) return ok(SUMMARY, "주간 소식은 설정(WEEKLY_SUMMARY)에서 꺼져 있습니다.");
  const weeks = await store.lastWeeks();
  const [newest] = weeks;
  const settled = weeks.find(({ state }) => state === "done");
  const sentAt = settled?.settledAt;
  const when = sentAt == null ? undefined : seoulDateTime(sentAt, now);
  if (newest && newest.tries > 0 && newest.subject !== settled?.subject) {
    const day = koreanDay(newest.subject.replace("weekly:", ""), now);
    const before = when ? `마지막으로 보낸 때는 ${when}입니다.` : "그 전에 보낸 적은 없습니다.";
    const sentence = `${day} 주간 소식을 ${newest.tries}번 시도했지만 보내지 못했습니다. ${before} 메일과 문자가 나가는지 확인해 주세요. 고치면 자동으로 보내거나, 빠진 기간을 다음 주간 소식에 함께 담습니다.`;
    return warn(SUMMARY, sentence);
  }
  if (sentAt == null) {
    return ok(SUMMARY, "주간 소식은 아직 보낸 적이 없고, 월요일 오전 9시에 보냅니다.");
  }
  return now - sentAt > SUMMARY_LATE_MS
    ? warn(
        SUMMARY,
        `마지막 주간 소식을 ${when}에 보냈고, 그 뒤로 보내지 못했습니다. 사이트가 월요일 오전 9시에 켜져 있었는지, 메일과 문자가 나가는지 확인해 주세요.`,
      )
    : ok(SUMMARY, `마지막 주간 소식을 ${when}에 보냈습니다.`);
}
