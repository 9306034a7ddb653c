import { ownerFieldLabel } from "#lib/application/fields.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { cleanLine } from "#lib/application/text.ts";
import type { MessageContent, MessageContentOf } from "#lib/channels/channel.ts";
import {
  contactButtons,
  type Letter,
  mailHighlight,
  mailParagraph,
  mailRows,
} from "#lib/channels/mail/html.ts";
import { prepareForOwner } from "#lib/channels/owner-view.ts";
import { weeklyLetter } from "#lib/channels/weekly-summary.ts";
import type { Suspicion } from "#lib/storage/stored-application.ts";

/** The mark in the subject and a remark above the application, by the value of `insteadOf` or the kind of message. */
const OWNER_MAIL_REASONS: Readonly<Partial<Record<string, [mark: string, note: string]>>> = {
  sms: ["문자 대신", "이 신청은 문자로 보낼 수 없어 메일로 보내 드립니다."],
  "sms-some": ["문자 일부", "문자를 받지 못한 번호가 있어 이 신청을 메일로도 보내 드립니다."],
  "sms-over-cap": ["문자 한도", "문자 한도를 모두 써서 이 신청은 메일로 보내 드립니다."],
  "full-text": ["전체 내용", "문자에 다 담지 못한 신청이라, 전체 내용을 메일로도 보냅니다."],
};
const SUSPECT_MARK = "자동 입력 의심";
const SUSPICION_REASONS: Readonly<Record<Suspicion, string>> = {
  honeypot: "사람에게는 보이지 않는 칸이 채워져 있어,",
  flooding: "같은 곳에서 여러 건이 들어와,",
};

export function composeLetter(message: MessageContent, sender: string): Letter {
  if ("application" in message) return applicationLetter(message);
  return "summary" in message ? weeklyLetter(message.summary, sender) : alarmOrTestLetter(message);
}

/** A resend by the owner has a new Message-ID, because a mail program may drop a mail with a known Message-ID. */
function applicationLetter(message: MessageContentOf<"application" | "full-text">): Letter {
  const { kind, application: stored, insteadOf } = message;
  const { suspicion, resends = 0 } = stored;
  const [reasonMark, remark] = OWNER_MAIL_REASONS[insteadOf ?? kind] ?? [];
  const view = prepareForOwner(stored);
  const marks = [resends > 0 && "다시 보냄", reasonMark, suspicion && SUSPECT_MARK];
  const remarks = [
    suspicion &&
      `${SUSPECT_MARK}: ${SUSPICION_REASONS[suspicion]} 프로그램이 보낸 신청일 수 있습니다.`,
    remark,
    ...view.relations,
  ];
  const facts = [
    { label: ownerFieldLabel("name"), value: view.name },
    ...view.rows,
    { label: "접수 시각", value: koreanDateTime(stored.submittedAt, stored.submittedAt) },
    { label: "접수번호", value: view.number },
  ];
  const parts = [
    ...remarks.flatMap((text) => (text ? [mailParagraph(text)] : [])),
    contactButtons(stored.application.phone, view.phone),
    mailRows(facts),
    ...(view.message === "" ? [] : [mailHighlight(view.message, ownerFieldLabel("message"))]),
  ];
  const shown = marks.flatMap((mark) => (mark ? [`[${mark}]`] : []));
  return {
    id: `${stored.applicationId}${resends > 0 ? `-${resends}` : ""}`,
    subject: cleanLine(
      [...shown, view.region, view.name, "운전연수 신청", `[${view.number}]`].join(" "),
    ),
    parts,
  };
}

function alarmOrTestLetter(message: MessageContentOf<"alarm" | "test">): Letter {
  const { text } = message;
  const parts = [mailHighlight(text)];
  return message.kind === "test"
    ? { id: `test-${crypto.randomUUID()}`, subject: "[시험] 운전연수 신청 알림 메일", parts }
    : { id: `alarm-${message.id}`, subject: `[확인 필요] ${text.split(/\.(?: |$)/)[0]}`, parts };
}
