import MailComposer from "nodemailer/lib/mail-composer";
import type { MessageContent } from "#lib/channels/channel.ts";
import { mailBodies } from "#lib/channels/mail/html.ts";
import { composeLetter } from "#lib/channels/mail/letters.ts";
import type { MailConfig } from "#lib/config.ts";

type MailAddresses = Pick<MailConfig, "from" | "to">;
type MailMessage = ReturnType<typeof composeMailFields>;

/** The mail has no Reply-To, because an application contains no mail address. */
export function composeMailFields(message: MessageContent, { from, to }: MailAddresses) {
  const letter = composeLetter(message, from.address);
  const { id, subject, attachment } = letter;
  const [, host = ""] = from.address.split("@");
  const messageId = `<${id}.mail@${host}>`;
  return { from, to, subject, ...mailBodies(letter), messageId, attachment };
}

/** The mail is in base64, because quoted-printable needs nine bytes for a Korean syllable. */
export function encodeMail({ attachment, ...message }: MailMessage): Promise<Buffer> {
  return new MailComposer({
    ...message,
    headers: { "Auto-Submitted": "auto-generated" },
    textEncoding: "base64",
    attachments: attachment ? [attachmentPart(attachment)] : [],
    // No content may make nodemailer read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** A Korean file name by RFC 2231, and an ASCII name for Outlook. Nodemailer would add a nonstandard third one. */
function attachmentPart({ filename, asciiName, content }: NonNullable<MailMessage["attachment"]>) {
  const lines = [
    `Content-Type: text/csv; charset=utf-8; name="${asciiName}"`,
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n"),
  ];
  return { raw: lines.join("\r\n") };
}
