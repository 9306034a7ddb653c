/** What the owner's mails say; the week's is in weekly.ts. */
import { ownerLabelOf } from "#lib/application/fields.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { cleanLine } from "#lib/application/text.ts";
import type { OwnerMessage } from "#lib/channels/channel.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import {
  band,
  contact,
  type Letter,
  message,
  note,
  type Part,
  prose,
  rows,
} from "#lib/channels/mail/html.ts";
import { weeklyLetter } from "#lib/channels/mail/weekly.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { DOT, SUSPICION_WORDS } from "#lib/channels/words.ts";

const SENT_INSTEAD =
  "원래 문자로 보내 드리는 신청이지만, 문자가 제대로 전달되지 않아 메일로 보냅니다.";
const SENT_WHOLE = "문자로 보내 드린 신청이 길어, 전체 내용을 메일로도 보냅니다.";
const CAPPED =
  "시간당 또는 하루 문자 한도에 이르러, 이 신청들은 문자 대신 메일 한 통으로 모아 보냅니다.";
const SUSPECT = "자동 입력 의심";
const BY_PROGRAM = "자동 프로그램이 보낸 신청일 수 있습니다.";

type Of<Kind extends OwnerMessage["kind"]> = Extract<OwnerMessage, { kind: Kind }>;

/** `sender`: the address that it comes from. */
export function letterOf(message: OwnerMessage, sender: string): Letter {
  switch (message.kind) {
    case "application":
      return applicationLetter(message);
    case "weekly":
    case "witness":
      return weeklyLetter(message.summary, sender);
    case "digest":
      return digestLetter(message);
    case "alarm":
    case "test":
      return noticeLetter(message);
  }
}

/** Its id is another one when the owner has had it sent once more: a known one would be dropped as a repeat. */
function applicationLetter({ application: stored, insteadOf, whole }: Of<"application">): Letter {
  const { suspicion, repeats = 0 } = stored;
  const view = ownerView(stored);
  const labels = [
    repeats > 0 && "다시 보냄",
    insteadOf === "sms" && "문자 대신",
    whole && "문자 전문",
    suspicion && SUSPECT,
    view.number,
  ].flatMap((label) => (label ? [`[${label}]`] : []));
  const notes = [
    ...(suspicion ? [`${SUSPECT}: ${SUSPICION_WORDS[suspicion]}. ${BY_PROGRAM}`] : []),
    ...(insteadOf === "sms" ? [SENT_INSTEAD] : []),
    ...(whole ? [SENT_WHOLE] : []),
    ...view.relations,
  ];
  return {
    id: `${stored.applicationId}${repeats > 0 ? `-${repeats}` : ""}`,
    subject: cleanLine(`${labels.join(" ")} ${view.region} ${view.name} 운전연수 신청`),
    parts: [...notes.map(note), ...partsOf(stored)],
  };
}

/** Applications that the cap on SMS kept back, each with everything in it. */
function digestLetter({ id, applications }: Of<"digest">): Letter {
  const parts = applications.flatMap((stored) => {
    const { number, name, relations } = ownerView(stored);
    const head = [number, name].join(DOT);
    return [band("title", head, prose(head)), ...relations.map(note), ...partsOf(stored)];
  });
  const subject = `[문자 대신] 운전연수 신청 ${applications.length}건`;
  return { id: `digest-${id}`, subject, parts: [note(CAPPED), ...parts] };
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

/** Something that the owner has to mend, named by its first sentence, or a mail to try the channel with. */
function noticeLetter(notice: Of<"alarm" | "test">): Letter {
  const text = defangLinks(notice.text);
  const parts = [message(text)];
  return notice.kind === "test"
    ? { id: `test-${crypto.randomUUID()}`, subject: "[시험] 운전연수 신청 알림 메일", parts }
    : { id: `alarm-${notice.id}`, subject: `[확인 필요] ${text.split(/\.(?: |$)/)[0]}`, parts };
}
