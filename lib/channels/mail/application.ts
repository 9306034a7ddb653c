/** The mail that brings an application. */
import { ownerLabelOf } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { StoredApplication, Suspicion } from "#lib/application/stored-application.ts";
import { cleanLine } from "#lib/application/text.ts";
import type { OwnerMessage } from "#lib/channels/carrier.ts";
import {
  band,
  button,
  fields,
  type Html,
  html,
  mailDocument,
  prose,
} from "#lib/channels/mail/html.ts";
import { type Addresses, type MailMessage, mailOf } from "#lib/channels/mail/message.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

const SENT_INSTEAD =
  "원래 문자로 보내 드리는 신청이지만, 문자가 제대로 전달되지 않아 메일로 보냅니다.";
const SENT_WHOLE = "문자로 보내 드린 신청이 길어, 전체 내용을 메일로도 보냅니다.";
const SUSPECT = "자동 입력 의심";
const REASONS: Record<Suspicion, string> = {
  honeypot: "사람에게 보이지 않는 칸이 채워져 있었습니다. 자동 프로그램이 보낸 신청일 수 있습니다.",
  flooding:
    "같은 곳에서 짧은 시간에 여러 건을 보냈습니다. 자동 프로그램이 보낸 신청일 수 있습니다.",
};

/**
 * It has no Reply-To: the visitor gave no address, and what a stranger typed does not become a header. Its id is
 * the same each time, unless the owner has had it sent once more: a known one would be dropped as a repeat.
 */
export function applicationMail(
  message: Extract<OwnerMessage, { kind: "application" }>,
  addresses: Addresses,
): MailMessage {
  const { application: stored, insteadOf, whole } = message;
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
    ...(suspicion ? [`${SUSPECT}: ${REASONS[suspicion]}`] : []),
    ...(insteadOf === "sms" ? [SENT_INSTEAD] : []),
    ...(whole ? [SENT_WHOLE] : []),
    ...view.relations,
  ];
  const number = { label: "접수번호", value: view.number };
  const name = { label: ownerLabelOf("name"), value: view.name };
  const phone = { label: ownerLabelOf("phone"), value: view.phone };
  const rows = [
    ...view.rows,
    { label: "접수 시각", value: seoulDateTime(stored.submittedAt, stored.submittedAt) },
  ];
  const told = [number, name, phone, ...rows];
  const heading = ownerLabelOf("message");
  const said = view.message === "" ? [] : [`${heading}:\n${view.message}`];
  return mailOf(`${stored.applicationId}${repeats > 0 ? `-${repeats}` : ""}`, addresses, {
    subject,
    text: `${[...notes, told.map(lineOf).join("\n"), ...said].join("\n\n")}\n`,
    html: mailDocument(subject, [
      band("sign", prose(subject)),
      ...notes.map((note) => band("note", note)),
      band("buttons", contactButtons(stored)),
      fields([name, ...rows, number]),
      ...(view.message === ""
        ? []
        : [band("message", html`<b>${heading}</b><br>`, prose(view.message))]),
    ]),
  });
}

const lineOf = ({ label, value }: { label: string; value: string }) => `${label}: ${value}`;

/** What can be done with a visitor's number: call it, write to it. */
export function contactButtons({ application }: StoredApplication): Html[] {
  const { phone } = application;
  return [button(telHref(phone), formatPhone(phone)), button(smsHref(phone), "문자 보내기")];
}
