/** A mail, ready for any mailer: plain texts, nothing encoded yet. */
import { domainToASCII } from "node:url";

export interface MailMessage {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
  attachment?: { filename: string; content: string; contentType: string };
}

export type Addresses = Pick<MailMessage, "from" | "to">;

/** A mail of ours. Its Message-ID is made of a fixed id, so that a repeat is recognised as one. */
export function mailOf(
  id: string,
  { from, to }: Addresses,
  rest: Pick<MailMessage, "subject" | "text" | "html" | "attachment">,
): MailMessage {
  const messageId = `<${id}.mail@${hostOf(from)}>`;
  return { from, to, ...rest, messageId, headers: { "Auto-Submitted": "auto-generated" } };
}

/** `이름 <a@b.kr>` → `a@b.kr`. */
export function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}

function hostOf(from: string): string {
  const host = /@([^@\s<>]+)$/.exec(addressOf(from).trim())?.[1] ?? "";
  return domainToASCII(host) || "localhost";
}
