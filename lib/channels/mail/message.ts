/** A mail: as plain texts of which nothing is encoded yet, and as the bytes of an `.eml` file. */
import MailComposer from "nodemailer/lib/mail-composer";
import type { OwnerMessage } from "#lib/channels/channel.ts";
import { bodiesOf } from "#lib/channels/mail/html.ts";
import { letterOf } from "#lib/channels/mail/letters.ts";
import type { MailConfig } from "#lib/config.ts";

export type Addresses = Pick<MailConfig, "from" | "to">;
type MailMessage = ReturnType<typeof mailFor>;

/**
 * It has no Reply-To: the visitor gave no address, and what a stranger typed does not become a header. Its Message-ID
 * is made of a fixed id, so that a repeat is recognised as one.
 */
export function mailFor(message: OwnerMessage, { from, to }: Addresses) {
  const letter = letterOf(message, from.address);
  const { id, subject, attachment } = letter;
  const [, host = ""] = from.address.split("@");
  return { from, to, subject, ...bodiesOf(letter), messageId: `<${id}.mail@${host}>`, attachment };
}

/** Base64, for quoted-printable would make nine bytes of each Korean syllable. */
export function composeMail({ attachment, to, ...message }: MailMessage): Promise<Buffer> {
  return new MailComposer({
    ...message,
    // nodemailer parses no objects, so it makes no group of a name with a colon.
    to: to.map((address) => ({ name: "", address })),
    headers: { "Auto-Submitted": "auto-generated" },
    textEncoding: "base64",
    attachments: attachment ? [attached(attachment)] : [],
    // The content is ours alone: nothing in it makes nodemailer read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** Its name is written as RFC 2231 says, and in no other way; nodemailer would add one that is no standard's. */
function attached({ filename, content }: NonNullable<MailMessage["attachment"]>) {
  const lines = [
    "Content-Type: text/csv; charset=utf-8",
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n"),
  ];
  return { raw: lines.join("\r\n") };
}
