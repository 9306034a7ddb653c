import { type Command, UsageError, withStore } from "#cli/applications/command.ts";
import { formatTable } from "#cli/applications/table.ts";
import { normalisePhone } from "#lib/application/phone.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { cleanLine } from "#lib/application/text.ts";
import { prepareForOwner } from "#lib/channels/owner-view.ts";
import { CHANNEL_WORDS, stateWord } from "#lib/channels/words.ts";
import { deliveryFindings, formatDuration } from "#lib/delivery/health.ts";
import { NOTICES_UNDER_WAY, type NoticeState } from "#lib/storage/outcomes.ts";
import type { ApplicationWithState } from "#lib/storage/queries/applications.ts";
import type { ApplicationCounts } from "#lib/storage/queries/counts.ts";

/** The values of the option `--state`. To the owner, everything under way is `open`. */
const STATES_BY_OPTION: Readonly<Record<string, readonly NoticeState[]>> = {
  open: NOTICES_UNDER_WAY,
  filed: ["filed"],
  done: ["done"],
  "given-up": ["given-up"],
  closed: ["closed"],
};
const COLUMN_TITLES = ["접수번호", "접수 시각", "상태", "지역", "희망 일정", "전화번호", "이름"];
const SEARCH_ADVICE =
  "전화번호는 전체를, 이름은 일부만 적어도 찾습니다. 접수번호는 show 명령에 적어 주세요.";

export const listCommand: Command = {
  usage: `list [전화번호|이름] [--open] [--state ${Object.keys(STATES_BY_OPTION).join("|")}] [--limit 건수]`,
  purpose: "잘못된 것, 최근 신청, 아직 전달되지 않은 것 보기 (--open: 아직 연락하지 않은 신청)",
  options: {
    open: { type: "boolean" },
    state: { type: "string" },
    limit: { type: "string", default: "20" },
  },

  async run(words, config, options) {
    const states =
      options.state === undefined ? undefined : (STATES_BY_OPTION[String(options.state)] ?? []);
    const limit = Number(options.limit);
    const isValid = Number.isSafeInteger(limit) && limit > 0 && states?.length !== 0;
    if (!isValid) throw new UsageError();
    const isUncalled = options.open === true;
    const now = Date.now();
    await withStore(config, async (store) => {
      const found = await store.list({ states, limit: limit + 1, isUncalled, of: personIn(words) });
      const findings = await deliveryFindings(store, config, now, true);
      const lines = [
        ...findings.map(({ sentence }) => cleanLine(sentence)),
        ...(findings.length > 0 ? [""] : []),
        ...(found.length > 0
          ? formatTable([COLUMN_TITLES, ...found.slice(0, limit).map(rowOf)])
          : ["보여 드릴 신청이 없습니다.", ...(words.length > 0 ? [SEARCH_ADVICE] : [])]),
        "",
        ...waitingLines(await store.countApplications(), now),
        ...uncalledLines(await store.countUncalled()),
        ...(found.length > limit ? [`최근 ${limit}건만 보입니다. 더 보려면 --limit 건수`] : []),
      ];
      for (const line of lines) console.info(line);
    });
  },
};

function personIn(words: readonly string[]) {
  if (words.length === 0) return undefined;
  const phone = normalisePhone(words.join(" "));
  return phone === undefined ? { name: words.join(" ").normalize("NFC") } : { phone };
}

function rowOf(tracked: ApplicationWithState): string[] {
  const { submittedAt, calledAt, application, channel, suspicion } = tracked;
  const { number, phone, preferredDate, dayType, timeSlot } = prepareForOwner(tracked);
  const by = calledAt === undefined ? channel && CHANNEL_WORDS[channel] : koreanDateTime(calledAt);
  return [
    number,
    koreanDateTime(submittedAt),
    `${stateWord(tracked)}${by ? ` (${by})` : ""}${suspicion ? " (자동 입력 의심)" : ""}`,
    application.region,
    `${preferredDate} ${dayType}/${timeSlot}`,
    phone,
    application.name,
  ];
}

function waitingLines(counts: ApplicationCounts, now: number): string[] {
  const { waiting, sent, filed, givenUp, oldestWaitingSince } = counts;
  return [
    oldestWaitingSince !== undefined &&
      `아직 전달되지 않은 신청 ${waiting}건, 가장 오래된 것은 ${formatDuration(now - oldestWaitingSince)}째 기다리고 있습니다.`,
    waiting + filed + givenUp === 0 && "전달을 기다리는 신청이 없습니다.",
    sent > 0 && `보냈고 도착 확인이나 나머지 발송을 기다리는 신청 ${sent}건.`,
  ].filter((line) => line !== false);
}

const uncalledLines = (uncalled: number) =>
  uncalled > 0 ? [`아직 연락했다고 표시하지 않은 신청 ${uncalled}건(list --open).`] : [];
