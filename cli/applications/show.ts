import { type Command, type FoundApplication, withApplication } from "#cli/applications/command.ts";
import { formatTable } from "#cli/applications/table.ts";
import { ownerFieldLabel } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { cleanText } from "#lib/application/text.ts";
import { prepareForOwner } from "#lib/channels/owner-view.ts";
import { CHANNEL_WORDS, deliveryWord, SUSPICION_WORDS } from "#lib/channels/words.ts";
import { isIn, NOTICES_UNDER_WAY, type Outcome, PENDING_MESSAGES } from "#lib/storage/outcomes.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";

const SENDING_WORDS = "보내는 중";
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  "not-sent": "나가지 않음",
  unknown: "나갔는지 모름",
  accepted: "보냄",
  delivered: "도착",
  rejected: "거부됨",
};

export const showCommand: Command = {
  usage: "show 접수번호",
  purpose: "신청 한 건을 자세히 보기: 적은 내용, 보낸 기록, 오류",

  run(words, config) {
    return withApplication(config, words, (found) => {
      for (const line of [...contentLines(found), "", ...deliveryLines(found)]) console.info(line);
    });
  },
};

export function contentLines(found: StoredApplication): string[] {
  const { suspicion, application, submittedAt, route } = found;
  const view = prepareForOwner(found);
  const rows = [
    ["접수번호", view.number],
    ["접수 시각", koreanDateTime(submittedAt)],
    ["신청서", route === "sms" ? "홈" : "연수 신청"],
    [ownerFieldLabel("name"), application.name],
    [ownerFieldLabel("phone"), formatPhone(application.phone)],
    ...view.rows.map(({ label, value }) => [label, value]),
    ...view.relations.map((relation) => ["관련 신청", relation.replace("오늘", "그날")]),
    ...(suspicion ? [["자동 입력 의심", SUSPICION_WORDS[suspicion]]] : []),
  ];
  const message = indented(cleanText(application.message).split("\n"));
  return [
    ...formatTable(rows),
    ...(application.message === "" ? [] : [ownerFieldLabel("message"), ...message]),
  ];
}

function deliveryLines(found: FoundApplication): string[] {
  const { state, channel, finishedAt, calledAt, resends = 0, messages } = found;
  const by = channel === undefined ? "" : ` (${CHANNEL_WORDS[channel]})`;
  const isUnderWay = isIn(NOTICES_UNDER_WAY, state);
  const pending = messages.filter((each) => isUnderWay && isIn(PENDING_MESSAGES, each.state));
  const nextAt = Math.min(...pending.map((each) => each.nextAt));
  // A resend by the owner resets `tries`: the faults from before it are outdated.
  const failed = messages.filter(({ advice, tries }) => advice !== undefined && tries > 0);
  const last = failed
    .toSorted((one, other) => (one.answeredAt ?? 0) - (other.answeredAt ?? 0))
    .at(-1);
  const rows = [
    ["상태", `${deliveryWord(found)}${by}`],
    ...(finishedAt === undefined ? [] : [["끝난 시각", koreanDateTime(finishedAt)]]),
    ...(calledAt === undefined ? [] : [["직접 연락", koreanDateTime(calledAt)]]),
    ...(pending.length > 0
      ? [[state === "sent" ? "다음 확인" : "다음 시도", koreanDateTime(nextAt)]]
      : []),
    ...(resends > 0 ? [["다시 보냄", `${resends}번`]] : []),
    ...(last?.advice === undefined ? [] : [["마지막 오류", last.advice]]),
  ];
  const attemptRows = messages.flatMap((message) => {
    const { begunAt, answeredAt = begunAt, recipient, error, providerId } = message;
    if (answeredAt === undefined) return [];
    const word =
      message.state === "sending" ? SENDING_WORDS : OUTCOME_WORDS[message.outcome ?? "unknown"];
    const at = koreanDateTime(begunAt ?? answeredAt);
    return [
      [CHANNEL_WORDS[message.channel], formatPhone(recipient), word, at, error ?? providerId ?? ""],
    ];
  });
  return [
    ...formatTable(rows),
    ...(attemptRows.length > 0 ? ["보낸 기록", ...indented(formatTable(attemptRows))] : []),
  ];
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
