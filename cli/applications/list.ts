import { parseArgs } from "node:util";
import { type Command, withStore } from "#cli/applications/command.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterIn } from "#cli/applications/filter.ts";
import { forTerminal, json, shorten, table } from "#cli/applications/terminal.ts";
import { forMachines } from "#cli/applications/words.ts";
import { say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { FollowedApplication } from "#lib/application/delivery.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { STATE_WORDS, TRANSPORT_WORDS } from "#lib/channels/words.ts";
import type { OwnerStore } from "#lib/storage/store.ts";

const DEFAULT_LIMIT = 20;
const NAME_COLUMNS = 16;
const HEAD = [
  "접수번호",
  "접수 시각",
  "이름",
  "전화번호",
  "지역",
  "희망 일정",
  "받는 방법",
  "상태",
];

/** The newest applications, and what still waits. */
export const list: Command = {
  usage: "list",
  does: "신청 목록과 아직 전달되지 않은 것 보기",
  options: [...FILTER_HELP, "--json         프로그램이 읽을 수 있게"],

  async run(args, config) {
    const options = { ...FILTER_OPTIONS, json: { type: "boolean", default: false } } as const;
    const { values } = parseArgs({ args, options });
    const now = Date.now();
    const filter = filterIn(values, now);
    await withStore(config, async (store) => {
      const limit = filter.limit ?? (values.json ? undefined : DEFAULT_LIMIT);
      const found = await store.list({ ...filter, limit });
      if (values.json) {
        say(json(found.map(forMachines)));
        return;
      }
      for (const line of listLines(found)) say(line);
      for (const line of await statusLines(store, now)) say(line);
      if (found.length === limit) say(`최근 ${limit}건만 보입니다. 더 보려면 --limit 건수`);
    });
    return 0;
  },
};

function listLines(found: readonly FollowedApplication[]): string[] {
  if (found.length === 0) return ["보여 드릴 신청이 없습니다.", ""];
  return [...table([HEAD, ...found.map(rowOf)]), ""];
}

function rowOf(followed: FollowedApplication) {
  const { applicationId, submittedAt, application, channel, state, suspicion } = followed;
  const { name, phone, region } = application;
  const { date, time } = ownerView(followed);
  return [
    formatApplicationId(applicationId),
    seoulDateTime(submittedAt),
    shorten(forTerminal(name), NAME_COLUMNS),
    forTerminal(formatPhone(phone)),
    forTerminal(region),
    `${forTerminal(date)} ${time}`,
    TRANSPORT_WORDS[channel],
    `${STATE_WORDS[state]}${suspicion ? " (자동 입력 의심)" : ""}`,
  ];
}

/** `5분`, `3시간`, `2일`: rounded down, and at least a minute. */
function durationOf(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes}분`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}시간` : `${Math.floor(hours / 24)}일`;
}

/** What waits, and what the owner can do about it. */
export async function statusLines(
  store: Pick<OwnerStore, "counts" | "failingChannels" | "failingRecipients">,
  now: number,
): Promise<string[]> {
  const counts = await store.counts();
  const failing = await store.failingChannels();
  const underWay = counts.waiting + counts.leased;
  const lines = [
    underWay > 0 && counts.oldestWaitingSince !== undefined
      ? `아직 전달되지 않은 신청 ${underWay}건, 가장 오래된 것은 ${durationOf(now - counts.oldestWaitingSince)} 전에 접수되었습니다.`
      : "기다리는 신청이 없습니다.",
    counts.sent > 0 ? `보냈고 도착을 확인하고 있는 신청 ${counts.sent}건.` : "",
    counts.oldestFiledSince !== undefined
      ? `문자와 메일이 설정되지 않아 파일로 보관한 신청 ${counts.filed}건, 가장 오래된 것은 ${seoulDateTime(counts.oldestFiledSince)}에 접수되었습니다. .env에 설정하고 사이트를 다시 시작하면 나갑니다.`
      : "",
    counts.needsOwner > 0
      ? `전달하지 못해 직접 연락이 필요한 신청 ${counts.needsOwner}건: list --state needs-owner`
      : "",
    ...failing.map(
      ({ channel, since, advice }) =>
        `${TRANSPORT_WORDS[channel]} 발송이 ${durationOf(now - since)}째 되지 않습니다. ${advice}`,
    ),
    ...(await store.failingRecipients()).map(
      ({ channel, recipient, since, advice }) =>
        `${seoulDateTime(since)}부터 ${formatPhone(recipient)}에 ${TRANSPORT_WORDS[channel]} 전달이 되지 않습니다. ${advice}`,
    ),
  ];
  return lines.filter((line) => line !== "");
}
