/** A mail: as plain texts of which nothing is encoded yet, and as the bytes of an `.eml` file. */
import { domainToASCII } from "node:url";
import MailComposer from "nodemailer/lib/mail-composer";

export interface MailMessage {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
  /** A table for a spreadsheet. */
  attachment?: { filename: string; content: string };
}

export type Addresses = Pick<MailMessage, "from" | "to">;

/** A mail of ours. Its Message-ID is made of a fixed id, so that a repeat is recognised as one. */
export function mailOf(
  id: string,
  { from, to }: Addresses,
  rest: Pick<MailMessage, "subject" | "text" | "html" | "attachment">,
): MailMessage {
  const host = domainToASCII(addressOf(from).split("@")[1] ?? "") || "localhost";
  const headers = { "Auto-Submitted": "auto-generated" };
  return { from, to, ...rest, messageId: `<${id}.mail@${host}>`, headers };
}

/** `이름 <a@b.kr>` → `a@b.kr`. */
export function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}

/** Base64, for quoted-printable would make nine bytes of each Korean syllable. */
export function composeMail({ attachment, ...message }: MailMessage): Promise<Buffer> {
  return new MailComposer({
    ...message,
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
