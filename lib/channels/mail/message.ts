/** A mail, ready for any mailer: plain texts, nothing encoded yet. */
export interface MailMessage {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

/** The rows of the mail: what each is called, what it says, and where a tap on it leads. */
export interface MailRow {
  label: string;
  value: string;
  href?: string;
}
