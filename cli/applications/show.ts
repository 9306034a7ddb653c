import { parseArgs } from "node:util";
import { type Command, type FoundApplication, withApplication } from "#cli/applications/command.ts";
import { forTerminal, json, linesForTerminal, table } from "#cli/applications/terminal.ts";
import { forMachines, isSettled, MESSAGE_WORDS } from "#cli/applications/words.ts";
import { say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { FollowedApplication, Message } from "#lib/application/delivery.ts";
import { CAR_TYPES, DAY_TYPES, GENDERS, labelOf, TIME_SLOTS } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime, seoulIso } from "#lib/application/seoul-time.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { STATE_WORDS, SUSPICION_WORDS, TRANSPORT_WORDS } from "#lib/channels/words.ts";

/** Everything about one application. */
export const show: Command = {
  usage: "show 접수번호",
  does: "신청 한 건을 자세히 보기: 적은 내용, 보낸 기록, 마지막 오류",
  options: ["--json   프로그램이 읽을 수 있게"],

  async run(args, config) {
    const options = { json: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return withApplication(config, positionals.join(""), (found) => {
      if (values.json)
        say(json({ ...forMachines(found), messages: found.messages.map(machineMessage) }));
      else for (const line of [...contentLines(found), "", ...deliveryLines(found)]) say(line);
      return 0;
    });
  },
};

function contentLines(found: FollowedApplication): string[] {
  const { application, suspicion } = found;
  const rows = [
    ["접수번호", formatApplicationId(found.applicationId)],
    ["접수 시각", seoulDateTime(found.submittedAt)],
    ["신청서", found.channel === "sms" ? "홈 (문자로 받음)" : "연수 신청 (메일로 받음)"],
    ["이름", forTerminal(application.name)],
    ["전화번호", forTerminal(formatPhone(application.phone))],
    ["성별/나이", `${labelOf(GENDERS, application.gender)}/${application.age}`],
    ["연수 지역", forTerminal(application.region)],
    ["희망 날짜", forTerminal(ownerView(found).date)],
    [
      "요일/시간대",
      `${labelOf(DAY_TYPES, application.dayType)}/${labelOf(TIME_SLOTS, application.timeSlot)}`,
    ],
    ["연수 차량", labelOf(CAR_TYPES, application.carType)],
    ...(suspicion ? [["자동 입력 의심", SUSPICION_WORDS[suspicion]]] : []),
  ];
  if (application.message === "") return table(rows);
  const message = linesForTerminal(application.message).map((line) => `  ${line}`.trimEnd());
  return [...table(rows), "남기신 말씀", ...message];
}

function deliveryLines(found: FoundApplication): string[] {
  const { state, transport, settledAt, lastError, lastAdvice } = found;
  const by = transport === undefined ? "" : ` (${TRANSPORT_WORDS[transport]})`;
  const rows = [
    ["상태", `${STATE_WORDS[state]}${by}`],
    ...(settledAt === undefined ? [] : [["끝난 시각", seoulDateTime(settledAt)]]),
    ...(isSettled(found)
      ? []
      : [[nextWord(found), seoulDateTime(found.leaseUntil ?? found.nextAttemptAt)]]),
    ...(found.digest === undefined ? [] : [["보내는 방법", "다른 신청과 함께 메일 한 통으로"]]),
    ["실패한 시도", `${found.attempts}번`],
    ...((found.repeats ?? 0) > 0 ? [["다시 보냄", `${found.repeats}번`]] : []),
    ...(found.failingSince === undefined ? [] : [["실패 시작", seoulDateTime(found.failingSince)]]),
    ...(lastAdvice === undefined ? [] : [["마지막 오류", lastAdvice]]),
    ...(lastError === undefined ? [] : [["오류 원문", forTerminal(lastError)]]),
  ];
  const sent = found.messages.map(({ transport, recipient, state, begunAt, providerId }) => [
    `  ${TRANSPORT_WORDS[transport]}`,
    forTerminal(formatPhone(recipient)),
    MESSAGE_WORDS[state],
    seoulDateTime(begunAt),
    forTerminal(providerId ?? ""),
  ]);
  return [...table(rows), ...(sent.length > 0 ? ["보낸 기록", ...table(sent)] : [])];
}

function nextWord({ state }: FollowedApplication): string {
  if (state === "leased") return "늦어도";
  return state === "sent" ? "다음 확인" : "다음 시도";
}

function machineMessage({ begunAt, providerId, ...message }: Message) {
  return { ...message, begunAt: seoulIso(begunAt), providerId: providerId ?? null };
}
