import { domainToASCII } from "node:url";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Channel, StoredApplication, Suspicion } from "#lib/application/stored-application.ts";
import { cleanLine } from "#lib/application/text.ts";
import { mailHtml } from "#lib/channels/mail/html.ts";
import type { MailMessage, MailRow } from "#lib/channels/mail/message.ts";
import { ownerView } from "#lib/channels/owner-view.ts";

const SENT_INSTEAD = "원래 문자로 보내 드리는 신청이지만, 발송되지 않아 메일로 보냅니다.";
const SENT_WHOLE = "문자로 보내 드린 신청이 길어, 전체 내용을 메일로도 보냅니다.";

/** Marks an application that looks automated: SUSPECT in the subject, the reason in the mail. */
const SUSPECT = "자동 입력 의심";
const REASONS: Record<Suspicion, string> = {
  honeypot: "사람에게 보이지 않는 칸이 채워져 있었습니다. 자동 프로그램이 보낸 신청일 수 있습니다.",
  flooding:
    "같은 곳에서 짧은 시간에 여러 건을 보냈습니다. 자동 프로그램이 보낸 신청일 수 있습니다.",
};

/**
 * The mail to the owner; marked when it stands in for an SMS, and when the owner has had it sent once
 * more. It has no Reply-To: the visitor gave no address, and what a stranger typed does not become a
 * header. Its Message-ID is fixed, so that a repeat is recognised as one.
 */
export function mailMessage(
  stored: StoredApplication,
  { from, to }: { from: string; to: string[] },
  { insteadOf, whole = false }: { insteadOf?: Channel | undefined; whole?: boolean } = {},
): MailMessage {
  const view = ownerView(stored);
  const { suspicion } = stored;
  const notes: MailRow[] = [
    ...(suspicion ? [{ label: SUSPECT, value: REASONS[suspicion] }] : []),
    ...(insteadOf === "sms" ? [{ label: "안내", value: SENT_INSTEAD }] : []),
    ...(whole ? [{ label: "안내", value: SENT_WHOLE }] : []),
  ];
  const rows: MailRow[] = [
    ...notes,
    { label: "접수번호", value: view.number },
    { label: "이름", value: view.name },
    { label: "전화번호", value: view.phone, links: linksTo(stored.application.phone, view.phone) },
    { label: "성별/나이", value: view.person },
    { label: "연수 지역", value: view.region },
    { label: "희망 날짜", value: view.date },
    { label: "요일/시간대", value: view.time },
    { label: "연수 차량", value: view.car },
    { label: "접수 시각", value: seoulDateTime(stored.submittedAt, stored.submittedAt) },
  ];
  const instead = insteadOf === "sms" ? "[문자 대신] " : whole ? "[문자 전문] " : "";
  const repeats = stored.repeats ?? 0;
  const again = repeats > 0 ? "[다시 보냄] " : "";
  const mark = suspicion ? `[${SUSPECT}] ` : "";
  const subject = cleanLine(
    `${again}${instead}[${view.number}] ${mark}${view.region} ${view.name} 운전연수 신청`,
  );
  return {
    from,
    to,
    subject,
    text: mailText(rows, view.message),
    html: mailHtml({ title: subject, rows, message: view.message }),
    // Sent once more at the owner's wish it is another mail: a known id would be dropped as a repeat.
    messageId: messageIdOf(`${stored.applicationId}${repeats > 0 ? `-${repeats}` : ""}`, from),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

export function mailText(rows: MailRow[], message: string): string {
  const lines = rows.map(({ label, value }) => `${label}: ${value}`);
  if (message !== "") lines.push("", "남기신 말씀:", message);
  return `${lines.join("\n")}\n`;
}

/** What can be done with a visitor's number: call it, write to it. Digits and a plus only, whatever was stored. */
export function linksTo(phone: string, shown: string): NonNullable<MailRow["links"]> {
  const number = phone.replace(/[^\d+]/g, "");
  return [
    { text: shown, href: `tel:${number}` },
    { text: "문자 보내기", href: `sms:${number}` },
  ];
}

/** The fixed id of a mail, by which a repeat is recognised. */
export function messageIdOf(id: string, from: string): string {
  return `<${id}.mail@${hostOf(from)}>`;
}

/** The host of `a@b.kr` or `이름 <a@b.kr>`. */
function hostOf(address: string): string {
  const host = /@([^@\s<>]+)>?\s*$/.exec(address)?.[1] ?? "";
  return domainToASCII(host) || "localhost";
}
