/** Health: can applications be stored? Status: does a person have to act? `list` and the doctor print the findings. */
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { koreanDateTime, seoulIso } from "#lib/application/seoul-time.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { CHANNEL_WORDS, NEITHER_CHANNEL_WORDS } from "#lib/channels/words.ts";
import type { Config } from "#lib/config.ts";
import { withSubjectParticle } from "#lib/content/korean-words.ts";
import { type DeliveryFault, isLastingFault, listFaults } from "#lib/delivery/faults.ts";
import {
  CAP_WARNING_AFTER_MS,
  elapsedMs,
  OVERDUE_AFTER_MS,
  stuckAfterMs,
} from "#lib/delivery/retry.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";
import { log } from "#lib/log.ts";
import { isLocalSite } from "#lib/site-address.ts";
import { findBackupFailure } from "#lib/storage/backups.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { ApplicationCounts } from "#lib/storage/queries/counts.ts";
import type { Store } from "#lib/storage/store.ts";

/** A worker without a pass for this long counts as stalled, because no pass waits for a provider. */
const STALLED_AFTER_MS = 5 * MINUTE;
/** An answer is reused for this long, because each check of a site that works writes to the disk. */
export const HEALTH_CACHED_FOR_MS = 10 * SECOND;
/** Shorter while the site is down: a check then writes nothing, and a recovery must show soon. */
const DOWN_CACHED_FOR_MS = SECOND;

export interface Health {
  /** `down`: applications cannot be stored. `degraded`: applications are stored, but something is wrong. */
  state: "ok" | "degraded" | "down";
  needsAction: boolean;
}

type Settings = Pick<Config, "siteUrl"> & {
  readonly [Name in ProviderChannel]?: { readonly to: readonly string[] } | undefined;
};

export interface HealthDeps {
  store: Pick<Store, "now" | "probeAcceptance" | "countApplications" | "listEvidence" | "readNote">;
  config: Settings;
  worker: { lastPassAt: number | undefined } | undefined;
}

/** The answers of `/api/health` and `/api/status`. */
export function createHealthChecks(deps: HealthDeps) {
  let cached: { health: Promise<Health>; until: number } | undefined;

  function readCachedHealth(): Promise<Health> {
    const now = performance.now();
    if (cached !== undefined && now < cached.until) return cached.health;
    const health = checkHealth(deps);
    const current = { health, until: now + HEALTH_CACHED_FOR_MS };
    cached = current;
    health.then(({ state }) => {
      if (state === "down") current.until = now + DOWN_CACHED_FOR_MS;
    });
    return health;
  }

  return {
    answerHealth: async () => toResponse(await readCachedHealth(), ({ state }) => state !== "down"),
    answerStatus: async () =>
      toResponse(await readCachedHealth(), ({ needsAction }) => !needsAction),
  };
}

function toResponse(health: Health, isWell: (health: Health) => boolean): Response {
  const body = { status: health.state, time: seoulIso(Date.now()) };
  const status = isWell(health) ? 200 : 503;
  return Response.json(body, { status, headers: { "Cache-Control": "no-store" } });
}

/** Never rejects. */
export async function checkHealth({ store, config, worker }: HealthDeps): Promise<Health> {
  try {
    await store.probeAcceptance(store.now());
  } catch (err) {
    // The store itself logs a StorageUnavailable.
    if (!(err instanceof StorageUnavailable))
      log.error({ err }, "storing an application was tried and failed, health answers 503");
    return { state: "down", needsAction: true };
  }
  const now = store.now();
  const found = await deliveryFindings(store, config, now).catch((err: unknown) => {
    log.error({ err }, "reading the state of the deliveries failed, status answers 503");
    return undefined;
  });
  const isWorking = now - (worker?.lastPassAt ?? Number.NEGATIVE_INFINITY) <= STALLED_AFTER_MS;
  const isFaultless = found?.every(({ level }) => level !== "fault") === true;
  const isWell = hasNeededChannel(config) && isWorking && isFaultless;
  return { state: isWell && found?.length === 0 ? "ok" : "degraded", needsAction: !isWell };
}

/** A site that is tried out on one machine needs no channel. */
export const hasNeededChannel = (config: Settings) =>
  isLocalSite(config.siteUrl) || PROVIDER_CHANNELS.some((name) => config[name]);

const { fault, warn } = findingCreators("delivery");

/** Faults and warnings, the worst first. `reportsFiled`: includes the applications that a local site has filed. */
export async function deliveryFindings(
  store: Pick<Store, "countApplications" | "listEvidence" | "readNote">,
  config: Settings,
  now: number,
  reportsFiled = false,
): Promise<Finding[]> {
  const counts = await store.countApplications();
  const { uncappedWaitingSince = now, lastReachedAt = 0, waitingForCapSince = now } = counts;
  const failing = await listFaults(store, (channel) => config[channel]?.to);
  const channelCount = PROVIDER_CHANNELS.filter((name) => config[name]).length;
  const waitsFor = elapsedMs(uncappedWaitingSince, now);
  const stuckFor = Math.min(waitsFor, elapsedMs(lastReachedAt, now));
  const cappedFor = elapsedMs(waitingForCapSince, now);
  const backupFailure = await findBackupFailure(store, now);
  const isLocal = isLocalSite(config.siteUrl);
  const remedy =
    failing.length > 0
      ? "아래 문제를 해결해 주세요."
      : "list로 접수번호를 보고, show로 마지막 오류를 확인해 주세요.";
  const isStuck = stuckFor >= stuckAfterMs(channelCount);
  return [
    isStuck &&
      fault(
        `${formatDuration(stuckFor)}째 아무것도 전달되지 않고 있습니다. 기다리는 신청 ${counts.waiting}건은 서버에 그대로 있습니다. ${remedy}`,
      ),
    // Reported although other applications get through: a person can find what is wrong with the waiting one.
    !isStuck &&
      waitsFor >= OVERDUE_AFTER_MS &&
      fault(
        `${formatDuration(waitsFor)}째 전달되지 않은 신청이 있습니다. list로 접수번호를 보고, show로 마지막 오류를 확인해 주세요. 고칠 수 없으면 신청자에게 먼저 연락해 주세요.`,
      ),
    counts.givenUp > 0 &&
      fault(
        `전달하지 못해 직접 연락이 필요한 신청이 ${counts.givenUp}건 있습니다. list --state given-up 으로 보고 신청자에게 연락한 뒤 done으로 닫거나, resend로 다시 보내 주세요.`,
      ),
    !isLocal && counts.filed > 0 && fault(filedSentence(counts, channelCount)),
    cappedFor >= CAP_WARNING_AFTER_MS &&
      warn(
        `문자 한도 때문에 기다리는 신청이 ${counts.waitingForCap}건 있고, 가장 오래된 것은 ${formatDuration(cappedFor)}째 기다리고 있습니다. 한도가 풀리는 대로 보냅니다. SMS_HOURLY_LIMIT과 SMS_DAILY_LIMIT을 올리고 다시 시작하면 바로 전달됩니다.`,
      ),
    ...failing.map((each) => toFinding(each, now)),
    reportsFiled && isLocal && counts.filed > 0 && warn(filedSentence(counts, channelCount)),
    backupFailure !== undefined &&
      findingCreators("backup").warn(
        `백업이 되지 않고 있습니다(${koreanDateTime(backupFailure.at)}: ${backupFailure.value}). 신청의 접수와 전달은 이 때문에 멈추지 않습니다. 디스크와 백업 폴더의 권한, 매일 밤의 백업이 켜져 있는지 확인해 주세요.`,
      ),
  ].filter((finding) => finding !== false);
}

/** Another server of the same database may have filed applications although this server has a channel. */
function filedSentence(
  { filed, oldestFiledSince = 0 }: ApplicationCounts,
  channelCount: number,
): string {
  const [why, remedy] =
    channelCount > 0
      ? [
          "보낼 방법이 설정되지 않은 채 실행된 서버가",
          "이 설정으로 사이트를 다시 시작하면 전달됩니다.",
        ]
      : [
          `${NEITHER_CHANNEL_WORDS} 설정되지 않아`,
          ".env에 설정하고 사이트를 다시 시작하면 전달됩니다.",
        ];
  return `${why} 파일로 보관한 신청이 ${filed}건 있고, 가장 오래된 것은 ${koreanDateTime(oldestFiledSince)}에 접수되었습니다. ${remedy}`;
}

function toFinding(failing: DeliveryFault, now: number): Finding | false {
  const { channel, recipient, since, advice } = failing;
  const word = CHANNEL_WORDS[channel];
  const what =
    recipient === undefined
      ? `${word} 발송이 ${formatDuration(now - since)}째 되지 않습니다.`
      : `${koreanDateTime(since, now)}부터 ${formatPhone(recipient)}에 ${withSubjectParticle(word)} 전달되지 않습니다.`;
  const isReported = recipient !== undefined || isLastingFault(failing, now);
  return isReported && findingCreators(channel).warn(`${what} ${advice}`);
}

/** `5분`, `3시간`, `2일`: rounded down, and at least a minute. */
export function formatDuration(ms: number): string {
  if (ms < 2 * HOUR) return `${Math.max(1, Math.floor(ms / MINUTE))}분`;
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)}시간` : `${Math.floor(ms / DAY)}일`;
}
