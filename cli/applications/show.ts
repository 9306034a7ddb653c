import { type Command, type FoundApplication, withApplication } from "#cli/applications/command.ts";
import { formatTable } from "#cli/applications/table.ts";
import { ownerFieldLabel } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { cleanText } from "#lib/application/text.ts";
import { composeOwnerView } from "#lib/channels/owner-view.ts";
import { CHANNEL_WORDS, SUSPICION_WORDS, stateWord } from "#lib/channels/words.ts";
import type { AttemptOutcome } from "#lib/storage/tables.ts";

export const OUTCOME_WORDS: Readonly<Record<AttemptOutcome, string>> = {
  sending: "보내는 중",
  "not-sent": "나가지 않음",
  unknown: "나갔는지 모름",
  accepted: "보냄, 도착 확인 중",
  delivered: "도착",
  rejected: "거부됨",
};

export const showCommand: Command = {
  usage: "show 접수번호",
  does: "신청 한 건을 자세히 보기: 적은 내용, 보낸 기록, 오류",

  run(words, config) {
    return withApplication(config, words, (found) => {
      for (const line of [...contentLines(found), "", ...deliveryLines(found)]) console.info(line);
    });
  },
};

export function contentLines(found: StoredApplication): string[] {
  const { suspicion, application, submittedAt, route } = found;
  const view = composeOwnerView(found);
  const rows = [
    ["접수번호", view.number],
    ["접수 시각", seoulDateTime(submittedAt)],
    ["신청서", route === "sms" ? "홈 (문자로 받음)" : "연수 신청 (메일로 받음)"],
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
  const { state, channel, finishedAt, nextAt, tries, repeats = 0 } = found;
  const by = channel === undefined ? "" : ` (${CHANNEL_WORDS[channel]})`;
  // Errors from before the owner's last resend are outdated.
  const own = found.attempts.filter(({ id }) => id > found.attemptsAfter);
  const lastAdvice = own.findLast(({ advice }) => advice !== undefined)?.advice;
  const next = channel === undefined ? "다음 시도" : "다음 확인";
  const rows = [
    ["상태", `${stateWord(found)}${by}`],
    ...(finishedAt === undefined ? [] : [["끝난 시각", seoulDateTime(finishedAt)]]),
    ...(state === "open" ? [[next, seoulDateTime(nextAt)]] : []),
    ["실패한 시도", `${tries}번`],
    ...(repeats > 0 ? [["다시 보냄", `${repeats}번`]] : []),
    ...(lastAdvice === undefined ? [] : [["마지막 오류", lastAdvice]]),
  ];
  const attempts = found.attempts.map((attempt) => [
    CHANNEL_WORDS[attempt.channel],
    formatPhone(attempt.recipient),
    OUTCOME_WORDS[attempt.outcome],
    seoulDateTime(attempt.begunAt),
    attempt.error ?? attempt.providerId ?? "",
  ]);
  return [
    ...formatTable(rows),
    ...(attempts.length > 0 ? ["보낸 기록", ...indented(formatTable(attempts))] : []),
  ];
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
