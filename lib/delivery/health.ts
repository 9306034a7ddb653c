/**
 * Whether applications are taken and delivered, and what to do if not. Everybody may know the one word at
 * /api/health; the findings are told on the host, by the doctor and by `list`.
 */
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime, seoulIso } from "#lib/application/seoul-time.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { type Config, config } from "#lib/config.ts";
import { type Finding, fault, warn } from "#lib/finding.ts";
import { processGlobals, type WorkerStatus } from "#lib/process-globals.ts";
import { failedBackup } from "#lib/storage/backups.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sharedStore } from "#lib/storage/open.ts";
import type { Failing } from "#lib/storage/queries/faults.ts";
import type { Note } from "#lib/storage/queries/notes.ts";
import type { JobCounts } from "#lib/storage/queries/owner.ts";
import type { Store } from "#lib/storage/store.ts";
import { CHANNEL_NAMES, type ChannelName } from "#lib/storage/tables.ts";

/** A worker takes a turn every few seconds, and no turn waits for a send. */
const STALLED_MS = 5 * 60_000;
/** After this long a person has to look: the other channel would have taken over by then. */
const STUCK_MS = 15 * 60_000;
/** Within this time everybody gets the same answer, because each check writes to the disk. */
const REMEMBERED_MS = 1_000;

export interface Health {
  /** `down`: applications cannot be taken. `degraded`: they are taken, but not all is as it should be. */
  status: "ok" | "degraded" | "down";
  /** Whether somebody has to act. */
  urgent: boolean;
}

type Settings = Pick<Config, ChannelName | "siteUrl">;

interface Dependencies {
  store: Pick<Store, "probeWrite" | "counts" | "failing" | "findNote">;
  config: Settings;
  worker: { status(): WorkerStatus } | undefined;
  now: () => number;
}

let remembered: { health: Promise<Health>; at: number } | undefined;

/** What everybody may know of this process, at most a second old: 503 where somebody has to act. */
export async function healthResponse(): Promise<Response> {
  const at = performance.now();
  if (remembered === undefined || at - remembered.at > REMEMBERED_MS) {
    const { worker } = processGlobals;
    const store = sharedStore();
    const own = { store, config: config(), worker, now: store.now };
    remembered = { health: healthOf(own), at };
  }
  const { status, urgent } = await remembered.health;
  const headers = { "Cache-Control": "no-store" };
  const body = { status, time: seoulIso(Date.now()) };
  return Response.json(body, { status: urgent ? 503 : 200, headers });
}

export async function healthOf({ store, config, worker, now }: Dependencies): Promise<Health> {
  try {
    await store.probeWrite(now());
    const findings = await deliveryFindings(store, config, now());
    const works = workerWorks(worker, now());
    const urgent = !works || findings.some(({ level }) => level === "fault");
    // On a machine that is tried out nothing has to be configured.
    const isSet = isTrial(config.siteUrl) || CHANNEL_NAMES.some((name) => config[name]);
    return { status: urgent || findings.length > 0 || !isSet ? "degraded" : "ok", urgent };
  } catch (error) {
    if (error instanceof StorageUnavailable) return { status: "down", urgent: true };
    throw error;
  }
}

const isTrial = (siteUrl: string) => new URL(siteUrl).hostname === "localhost";

function workerWorks(worker: Dependencies["worker"], now: number): boolean {
  if (worker === undefined) return false;
  const { state, lastTurnAt = now } = worker.status();
  return state === "running" && now - lastTurnAt <= STALLED_MS;
}

/** What is wrong with the delivery, the worst first. A fault: somebody has to act. */
export async function deliveryFindings(
  store: Pick<Store, "counts" | "failing" | "findNote">,
  config: Settings,
  now: number,
  tellsFiled = !isTrial(config.siteUrl),
): Promise<Finding[]> {
  const counts = await store.counts(now);
  const recipients = CHANNEL_NAMES.map((name) => [name, config[name]?.to]);
  const failing = await store.failing(Object.fromEntries(recipients));
  const failed = await failedBackup(store);
  return [
    stuck(counts, now),
    givenUp(counts),
    ...failing.map((each) => failure(each, now)),
    tellsFiled ? filed(counts) : undefined,
    failed && noBackup(failed),
  ].filter((finding) => finding !== undefined);
}

function stuck(counts: JobCounts, now: number): Finding | undefined {
  const { waiting, overdueSince, lastThroughAt = 0 } = counts;
  if (overdueSince === undefined) return undefined;
  const since = Math.max(overdueSince, lastThroughAt);
  if (now - since < STUCK_MS) return undefined;
  const sentence = `${durationOf(now - since)}째 아무것도 전달되지 않고 있습니다. 기다리는 신청 ${waiting}건은 서버에 그대로 있습니다. 아래의 이유를 고쳐 주세요.`;
  return fault(sentence);
}

function givenUp({ givenUp: count }: JobCounts): Finding | undefined {
  if (count === 0) return undefined;
  const sentence = `전달하지 못해 직접 연락이 필요한 신청이 ${count}건 있습니다. list --state given-up 으로 보고 신청자에게 연락하거나, resend로 다시 보내 주세요.`;
  return fault(sentence);
}

function failure(failing: Failing, now: number): Finding | undefined {
  const { channel, recipient, since, refused, advice } = failing;
  const word = CHANNEL_WORDS[channel];
  if (recipient !== undefined) {
    const sentence = `${seoulDateTime(since, now)}부터 ${formatPhone(recipient)}에 ${word} 전달이 되지 않습니다. ${advice}`;
    return warn(sentence);
  }
  if (!refused && now - since < STUCK_MS) return undefined;
  return warn(`${word} 발송이 ${durationOf(now - since)}째 되지 않습니다. ${advice}`);
}

/** What was only filed has reached nobody. */
function filed({ filed: count, oldestFiledSince }: JobCounts): Finding | undefined {
  if (oldestFiledSince === undefined) return undefined;
  const sentence = `문자와 메일이 설정되지 않아 파일로 보관한 신청이 ${count}건 있고, 가장 오래된 것은 ${seoulDateTime(oldestFiledSince)}에 접수되었습니다. .env에 설정하고 사이트를 다시 시작하면 나갑니다.`;
  return warn(sentence);
}

function noBackup({ at, value }: Note): Finding {
  const sentence = `마지막 백업이 실패했습니다(${seoulDateTime(at)}: ${value}). 신청은 잘 접수되고 전달됩니다. 디스크와 백업 폴더의 권한을 확인해 주세요.`;
  return warn(sentence);
}

/** `5분`, `3시간`, `2일`: rounded down, and at least a minute. */
export function durationOf(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes}분`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}시간` : `${Math.floor(hours / 24)}일`;
}
