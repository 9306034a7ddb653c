/** The owner's mails that are no single application: the digest, the alarm, the test. */
import type { AlarmSubject } from "#lib/application/delivery.ts";
import type { OwnerMessage } from "#lib/channels/channel.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import { linksTo, mailText, messageIdOf } from "#lib/channels/mail/application.ts";
import { mailHtml } from "#lib/channels/mail/html.ts";
import type { MailMessage, MailRow } from "#lib/channels/mail/message.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { DOT } from "#lib/channels/words.ts";

interface Addresses {
  from: string;
  to: string[];
}

/** Applications that the cap on SMS kept back: one row each, with everything in it. */
export function digestMail(
  { id, applications }: Extract<OwnerMessage, { kind: "digest" }>,
  addresses: Addresses,
): MailMessage {
  const rows = applications.map((stored): MailRow => {
    const view = ownerView(stored);
    const parts = [view.name, view.phone, view.person, view.region, view.date, view.time, view.car];
    const said = view.message.replaceAll("\n", " ");
    return {
      label: view.number,
      value: [...parts, ...(said === "" ? [] : [said])].join(DOT),
      links: linksTo(stored.application.phone, view.phone),
    };
  });
  const title = `[문자 대신] 운전연수 신청 ${applications.length}건`;
  const note =
    "시간당 또는 하루 문자 한도에 이르러, 이 신청들은 문자 대신 메일 한 통으로 모아 보냅니다.";
  return notice({ id: `digest-${id}`, title, rows, note }, addresses);
}

/** Something that the owner has to mend. */
export function alarmMail(
  { about, text }: Extract<OwnerMessage, { kind: "alarm" }>,
  addresses: Addresses,
): MailMessage {
  // Each alarm is one of its own: a mail program must not take the next day's for a repeat.
  const id = `alarm-${crypto.randomUUID()}`;
  return notice({ id, title: titleOn(about), rows: [], note: defangLinks(text) }, addresses);
}

function titleOn(about: AlarmSubject): string {
  if (about === "needs-owner") return "[확인 필요] 전달하지 못한 신청이 있습니다";
  if (about === "backup") return "[확인 필요] 백업을 만들지 못하고 있습니다";
  if (about === "sms") return "[확인 필요] 문자를 보내지 못하고 있습니다";
  if (about === "mail") return "[확인 필요] 메일을 보내지 못하고 있습니다";
  return about.startsWith("sms:")
    ? "[확인 필요] 한 번호로 문자가 전달되지 않습니다"
    : "[확인 필요] 한 주소로 메일이 전달되지 않습니다";
}

/** Tries the channel. */
export function testMail(
  { text }: Extract<OwnerMessage, { kind: "test" }>,
  addresses: Addresses,
): MailMessage {
  const id = `test-${crypto.randomUUID()}`;
  return notice({ id, title: "[시험] 운전연수 신청 알림 메일", rows: [], note: text }, addresses);
}

function notice(
  { id, title, rows, note }: { id: string; title: string; rows: MailRow[]; note: string },
  { from, to }: Addresses,
): MailMessage {
  return {
    from,
    to,
    subject: title,
    text: `${note}\n\n${mailText(rows, "")}`,
    html: mailHtml({ title, rows, message: note }),
    messageId: messageIdOf(id, from),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
