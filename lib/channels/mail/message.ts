/** A mail, ready for any mailer: plain texts, nothing encoded yet. */
export interface MailMessage {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
  attachments?: { filename: string; content: string; contentType: string }[];
}

/** A row of the mail: what it is called, what it says, and where taps lead. */
export interface MailRow {
  label: string;
  value: string;
  links?: readonly { text: string; href: string }[];
}

/** `이름 <a@b.kr>` → `a@b.kr`. */
export function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}
