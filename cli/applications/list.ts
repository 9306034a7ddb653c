import { parseArgs } from "node:util";
import { type Command, withStore } from "#cli/applications/command.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterIn } from "#cli/applications/filter.ts";
import { forMachines } from "#cli/applications/for-machines.ts";
import { forTerminal, json, shorten, table } from "#cli/applications/terminal.ts";
import { say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { CARRIER_WORDS, stateWord } from "#lib/channels/words.ts";
import { deliveryFindings, durationOf, filed } from "#lib/health.ts";
import type { FollowedApplication, JobCounts } from "#lib/storage/queries/owner.ts";

const DEFAULT_LIMIT = 20;
const NAME_COLUMNS = 16;
const HEAD = [
  "접수번호",
  "접수 시각",
  "이름",
  "전화번호",
  "지역",
  "희망 일정",
  "받은 방법",
  "상태",
];

/** What is wrong, the newest applications, and what still waits. */
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
      const counts = await store.counts(now);
      const findings = await deliveryFindings(store, config, now);
      const told = new Set([...findings, filed(counts)].flatMap((each) => each?.sentence ?? []));
      for (const sentence of told) say(forTerminal(sentence));
      if (told.size > 0) say("");
      for (const line of [...listLines(found), "", ...waitingLines(counts, now)]) say(line);
      if (found.length === limit) say(`최근 ${limit}건만 보입니다. 더 보려면 --limit 건수`);
    });
    return 0;
  },
};

function listLines(found: readonly FollowedApplication[]): string[] {
  return found.length === 0 ? ["보여 드릴 신청이 없습니다."] : table([HEAD, ...found.map(rowOf)]);
}

function rowOf(followed: FollowedApplication): string[] {
  const { applicationId, submittedAt, application, carrier, suspicion } = followed;
  const { name, phone, region } = application;
  const { preferredDate, dayType, timeSlot } = ownerView(followed);
  return [
    formatApplicationId(applicationId),
    seoulDateTime(submittedAt),
    shorten(forTerminal(name), NAME_COLUMNS),
    forTerminal(formatPhone(phone)),
    forTerminal(region),
    `${forTerminal(preferredDate)} ${dayType}/${timeSlot}`,
    carrier ? CARRIER_WORDS[carrier] : "",
    `${stateWord(followed)}${suspicion ? " (자동 입력 의심)" : ""}`,
  ];
}

function waitingLines({ waiting, sent, oldestWaitingSince }: JobCounts, now: number): string[] {
  return [
    oldestWaitingSince === undefined
      ? "기다리는 신청이 없습니다."
      : `아직 전달되지 않은 신청 ${waiting}건, 가장 오래된 것은 ${durationOf(now - oldestWaitingSince)} 전에 접수되었습니다.`,
    ...(sent > 0 ? [`보냈고 도착을 확인하고 있는 신청 ${sent}건.`] : []),
  ];
}
