/** The owner's mails but for the week's: the application, the digest, the alarm, the test. */
import { ownerLabelOf } from "#lib/application/fields.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { cleanLine } from "#lib/application/text.ts";
import type { AlarmSubject, OwnerMessage } from "#lib/channels/carrier.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import {
  band,
  contact,
  letter,
  message,
  note,
  type Part,
  prose,
  rows,
} from "#lib/channels/mail/html.ts";
import { type Addresses, type MailMessage, mailOf } from "#lib/channels/mail/message.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import {
  CARRIER_WORDS,
  DOT,
  RECIPIENT_WORDS,
  SUSPICION_WORDS,
  withParticle,
} from "#lib/channels/words.ts";
import { CARRIER_NAMES } from "#lib/storage/tables.ts";

const SENT_INSTEAD =
  "원래 문자로 보내 드리는 신청이지만, 문자가 제대로 전달되지 않아 메일로 보냅니다.";
const SENT_WHOLE = "문자로 보내 드린 신청이 길어, 전체 내용을 메일로도 보냅니다.";
const CAPPED =
  "시간당 또는 하루 문자 한도에 이르러, 이 신청들은 문자 대신 메일 한 통으로 모아 보냅니다.";
const SUSPECT = "자동 입력 의심";
const BY_PROGRAM = "자동 프로그램이 보낸 신청일 수 있습니다.";

type Of<Kind extends OwnerMessage["kind"]> = Extract<OwnerMessage, { kind: Kind }>;

/**
 * It has no Reply-To: the visitor gave no address, and what a stranger typed does not become a header. Its id is
 * the same each time, unless the owner has had it sent once more: a known one would be dropped as a repeat.
 */
export function applicationMail(
  { application: stored, insteadOf, whole }: Of<"application">,
  addresses: Addresses,
): MailMessage {
  const { suspicion, repeats = 0 } = stored;
  const view = ownerView(stored);
  const labels = [
    repeats > 0 && "다시 보냄",
    insteadOf === "sms" && "문자 대신",
    whole && "문자 전문",
    suspicion && SUSPECT,
    view.number,
  ].flatMap((label) => (label ? [`[${label}]`] : []));
  const subject = cleanLine(`${labels.join(" ")} ${view.region} ${view.name} 운전연수 신청`);
  const notes = [
    ...(suspicion ? [`${SUSPECT}: ${SUSPICION_WORDS[suspicion]}. ${BY_PROGRAM}`] : []),
    ...(insteadOf === "sms" ? [SENT_INSTEAD] : []),
    ...(whole ? [SENT_WHOLE] : []),
    ...view.relations,
  ];
  const id = `${stored.applicationId}${repeats > 0 ? `-${repeats}` : ""}`;
  return mailOf(id, addresses, letter(subject, subject, [...notes.map(note), ...partsOf(stored)]));
}

/** Applications that the cap on SMS kept back, each with everything in it. */
export function digestMail({ id, applications }: Of<"digest">, addresses: Addresses): MailMessage {
  const subject = `[문자 대신] 운전연수 신청 ${applications.length}건`;
  const parts = applications.flatMap((stored) => {
    const { number, name, relations } = ownerView(stored);
    const head = [number, name].join(DOT);
    return [band("title", head, prose(head)), ...relations.map(note), ...partsOf(stored)];
  });
  return mailOf(`digest-${id}`, addresses, letter(subject, subject, [note(CAPPED), ...parts]));
}

/** Everything that was written. */
function partsOf(stored: StoredApplication): Part[] {
  const view = ownerView(stored);
  const facts = [
    { label: ownerLabelOf("name"), value: view.name },
    ...view.rows,
    { label: "접수 시각", value: seoulDateTime(stored.submittedAt, stored.submittedAt) },
    { label: "접수번호", value: view.number },
  ];
  const said = view.message === "" ? [] : [message(view.message, ownerLabelOf("message"))];
  return [contact(stored.application.phone, view.phone), rows(facts), ...said];
}

/** Something that the owner has to mend, or a mail to try the carrier with. */
export function noticeMail(notice: Of<"alarm" | "test">, addresses: Addresses): MailMessage {
  const isTest = notice.kind === "test";
  const id = isTest ? `test-${crypto.randomUUID()}` : `alarm-${notice.id}`;
  const title = isTest ? "[시험] 운전연수 신청 알림 메일" : `[확인 필요] ${titleOn(notice.about)}`;
  return mailOf(id, addresses, letter(title, title, [message(defangLinks(notice.text))]));
}

function titleOn(about: AlarmSubject): string {
  if (about === "given-up") return "전달하지 못한 신청이 있습니다";
  if (about === "backup") return "백업을 만들지 못하고 있습니다";
  const carrier = CARRIER_NAMES.find((name) => about.split(":")[0] === name) ?? "mail";
  const word = CARRIER_WORDS[carrier];
  return about === carrier
    ? `${withParticle(word, "을", "를")} 보내지 못하고 있습니다`
    : `한 ${RECIPIENT_WORDS[carrier]}로 ${withParticle(word, "이", "가")} 전달되지 않습니다`;
}
