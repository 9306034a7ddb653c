import { type Clock, systemClock } from "#lib/clock.ts";
import { type Finding, fault, ok } from "#lib/finding.ts";

/** Certificates and retries tolerate this difference; the time of the request is a part of it. */
const BEARABLE_MS = 2 * 60_000;
const REQUEST_LIMIT_MS = 10_000;
const CURE = "서버의 시간 동기화를 켜 주세요(timedatectl set-ntp true).";

interface Witnesses {
  /** The address of a provider; undefined when none is configured. */
  provider: string | undefined;
  /** When the latest application came in, ms since the epoch: a right clock is later. */
  newestAt: number | undefined;
}

/** Compares the clock with a provider's, and with the time of the latest application. */
export async function examineClock(
  { provider, newestAt }: Witnesses,
  now: Clock = systemClock,
): Promise<Finding> {
  if (newestAt !== undefined && newestAt - now() > BEARABLE_MS) {
    return fault(
      "clock",
      `서버 시계가 마지막 신청보다 ${minutes(newestAt - now())}분 뒤처져 있습니다. ${CURE}`,
    );
  }
  const theirs = provider && (await dateOf(provider));
  if (!theirs) return ok("clock", "서버 시계가 저장된 신청과 어긋나지 않습니다.");
  const ahead = now() - theirs;
  if (Math.abs(ahead) <= BEARABLE_MS) return ok("clock", "서버 시계가 맞습니다.");
  const how = ahead > 0 ? "빠릅니다" : "느립니다";
  return fault("clock", `서버 시계가 ${minutes(Math.abs(ahead))}분 ${how}. ${CURE}`);
}

const minutes = (ms: number) => Math.round(ms / 60_000).toLocaleString("ko-KR");

/** The Date header of any answer; undefined when none comes. The check of the channel then says why. */
async function dateOf(url: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(REQUEST_LIMIT_MS);
  const answer = await fetch(url, { method: "HEAD", redirect: "manual", signal }).catch(
    () => undefined,
  );
  const date = Date.parse(answer?.headers.get("date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}
