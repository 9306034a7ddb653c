import { type Command, type FoundApplication, withApplication } from "#cli/applications/command.ts";
import { forTerminal, linesForTerminal, table } from "#cli/applications/terminal.ts";
import { say } from "#cli/say.ts";
import { ownerLabelOf } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { CARRIER_WORDS, SUSPICION_WORDS, stateWord } from "#lib/channels/words.ts";
import type { Outcome } from "#lib/storage/tables.ts";

const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  leaving: "보내는 중",
  unsent: "나가지 않음",
  unknown: "나갔는지 모름",
  accepted: "보냄, 도착 확인 중",
  delivered: "도착",
  refused: "거부됨",
};

/** Everything about one application. */
export const show: Command = {
  usage: "show 접수번호",
  does: "신청 한 건을 자세히 보기: 적은 내용, 보낸 기록, 오류",

  async run(args, config) {
    return withApplication(config, args.join(""), (found) => {
      for (const line of [...contentLines(found), "", ...deliveryLines(found)]) say(line);
      return 0;
    });
  },
};

export function contentLines(found: StoredApplication): string[] {
  const { suspicion, application, submittedAt, route } = found;
  const view = ownerView(found);
  const rows = [
    ["접수번호", view.number],
    ["접수 시각", seoulDateTime(submittedAt)],
    ["신청서", route === "sms" ? "홈 (문자로 받음)" : "연수 신청 (메일로 받음)"],
    [ownerLabelOf("name"), forTerminal(application.name)],
    [ownerLabelOf("phone"), forTerminal(formatPhone(application.phone))],
    ...view.rows.map(({ label, value }) => [label, forTerminal(value)]),
    ...view.relations.map((relation) => ["관련 신청", relation]),
    ...(suspicion ? [["자동 입력 의심", SUSPICION_WORDS[suspicion]]] : []),
  ];
  if (application.message === "") return table(rows);
  const message = linesForTerminal(application.message).map((line) => `  ${line}`.trimEnd());
  return [...table(rows), ownerLabelOf("message"), ...message];
}

function deliveryLines(found: FoundApplication): string[] {
  const { state, carrier, settledAt, nextAt, tries, repeats = 0, inDigest, lastAdvice } = found;
  const by = carrier === undefined ? "" : ` (${CARRIER_WORDS[carrier]})`;
  const next = carrier === undefined ? "다음 시도" : "다음 확인";
  const rows = [
    ["상태", `${stateWord(found)}${by}`],
    ...(settledAt === undefined ? [] : [["끝난 시각", seoulDateTime(settledAt)]]),
    ...(state === "open" ? [[next, seoulDateTime(nextAt)]] : []),
    ...(inDigest ? [["보내는 방법", "다른 신청과 함께 메일 한 통으로"]] : []),
    ["실패한 시도", `${tries}번`],
    ...(repeats > 0 ? [["다시 보냄", `${repeats}번`]] : []),
    ...(lastAdvice === undefined ? [] : [["마지막 오류", lastAdvice]]),
  ];
  const sends = found.sends.map((send) => [
    `  ${CARRIER_WORDS[send.carrier]}`,
    forTerminal(formatPhone(send.recipient)),
    OUTCOME_WORDS[send.outcome],
    seoulDateTime(send.begunAt),
    forTerminal(send.error ?? send.providerId ?? ""),
  ]);
  return [...table(rows), ...(sends.length > 0 ? ["보낸 기록", ...table(sends)] : [])];
}
