/** The owner's mails that are no single application: the digest, the alarm, the test. */
import type { AlarmSubject, OwnerMessage } from "#lib/channels/carrier.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import { contactButtons } from "#lib/channels/mail/application.ts";
import { band, html, mailDocument, prose } from "#lib/channels/mail/html.ts";
import { type Addresses, type MailMessage, mailOf } from "#lib/channels/mail/message.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { DOT } from "#lib/channels/words.ts";

const CAPPED =
  "시간당 또는 하루 문자 한도에 이르러, 이 신청들은 문자 대신 메일 한 통으로 모아 보냅니다.";

/** Applications that the cap on SMS kept back, each with everything in it. */
export function digestMail(
  { id, applications }: Extract<OwnerMessage, { kind: "digest" }>,
  addresses: Addresses,
): MailMessage {
  const subject = `[문자 대신] 운전연수 신청 ${applications.length}건`;
  const entries = applications.map((stored) => {
    const view = ownerView(stored);
    const wish = view.rows.map(({ value }) => value).join(DOT);
    const said = [...view.relations, view.message].filter((text) => text !== "").join("\n");
    const head = [view.number, view.name].join(DOT);
    return {
      text: [head, view.phone, wish, said].filter((line) => line !== "").join("\n"),
      html: band("entry", [
        html`<b>${prose(head)}</b><br>${wish}<br>`,
        said === "" ? "" : html`${prose(said)}<br>`,
        contactButtons(stored),
      ]),
    };
  });
  return mailOf(`digest-${id}`, addresses, {
    subject,
    text: `${[CAPPED, ...entries.map(({ text }) => text)].join("\n\n")}\n`,
    html: mailDocument(subject, [
      band("sign", subject),
      band("note", CAPPED),
      ...entries.map((entry) => entry.html),
    ]),
  });
}

/** Something that the owner has to mend. */
export function alarmMail(
  { about, id, text }: Extract<OwnerMessage, { kind: "alarm" }>,
  addresses: Addresses,
): MailMessage {
  return notice(`alarm-${id}`, titleOn(about), defangLinks(text), addresses);
}

function titleOn(about: AlarmSubject): string {
  if (about === "given-up") return "[확인 필요] 전달하지 못한 신청이 있습니다";
  if (about === "backup") return "[확인 필요] 백업을 만들지 못하고 있습니다";
  if (about === "sms") return "[확인 필요] 문자를 보내지 못하고 있습니다";
  if (about === "mail") return "[확인 필요] 메일을 보내지 못하고 있습니다";
  return about.startsWith("sms:")
    ? "[확인 필요] 한 번호로 문자가 전달되지 않습니다"
    : "[확인 필요] 한 주소로 메일이 전달되지 않습니다";
}

/** Tries the carrier. */
export function testMail(text: string, addresses: Addresses): MailMessage {
  const id = `test-${crypto.randomUUID()}`;
  return notice(id, "[시험] 운전연수 신청 알림 메일", text, addresses);
}

function notice(id: string, title: string, text: string, addresses: Addresses): MailMessage {
  const document = mailDocument(title, [band("sign", title), band("message", prose(text))]);
  return mailOf(id, addresses, { subject: title, text: `${text}\n`, html: document });
}
