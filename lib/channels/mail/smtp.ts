/** Mail to the owner, over SMTP. */
import { isIP } from "node:net";
import MailComposer from "nodemailer/lib/mail-composer";
import type { MessageCarrier, OwnerMessage, SendEnd } from "#lib/channels/carrier.ts";
import { applicationMail } from "#lib/channels/mail/application.ts";
import {
  converse,
  SMTP_LIMITS,
  type SmtpLimits,
  type SmtpOptions,
} from "#lib/channels/mail/conversation.ts";
import { type Addresses, addressOf, type MailMessage } from "#lib/channels/mail/message.ts";
import { alarmMail, digestMail, testMail } from "#lib/channels/mail/notices.ts";
import { endOf } from "#lib/channels/mail/replies.ts";
import { weeklyMail } from "#lib/channels/mail/weekly.ts";
import type { MailConfig } from "#lib/config.ts";

/** The mail's content is ours alone: nothing in it makes nodemailer read a file or fetch an address. */
const CONTENT_ONLY = { disableFileAccess: true, disableUrlAccess: true } as const;

/**
 * SMTP_URL → nodemailer's options. Off this machine neither the login nor the application travels in
 * clear text: `smtps:`, or STARTTLS with a valid certificate, or nothing. On loopback TLS is optional
 * and its certificate is not checked, because nobody is in between. Query parameters are not read.
 * EHLO names the host of the site: what Node makes of a machine's own name is refused by some relays.
 */
export function smtpOptions(smtpUrl: string, siteUrl: string): SmtpOptions {
  const url = new URL(smtpUrl);
  const host = bare(url.hostname);
  const secure = url.protocol === "smtps:";
  const isLoopback = host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
  const auth = url.username && {
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  };
  return {
    name: ehloName(bare(new URL(siteUrl).hostname)),
    host,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && !isLoopback,
    ...(isLoopback ? { tls: { rejectUnauthorized: false } } : {}),
    ...(auth ? { auth } : {}),
  };
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "");

/** RFC 5321 section 4.1.3: an address stands in brackets. */
function ehloName(host: string): string {
  const family = isIP(host);
  return family === 0 ? host : family === 6 ? `[IPv6:${host}]` : `[${host}]`;
}

/** A message as the bytes of an `.eml` file. Quoted-printable would make nine bytes of each Korean syllable. */
export function composeMail({ attachment, ...message }: MailMessage): Promise<Buffer> {
  const options = { ...message, ...CONTENT_ONLY, textEncoding: "base64" } as const;
  const attachments = attachment ? [attached(attachment)] : [];
  return new MailComposer({ ...options, attachments }).compile().build();
}

/** Its name is written as RFC 2231 says, and in no other way; nodemailer would add one that is no standard's. */
function attached({ filename, content, contentType }: NonNullable<MailMessage["attachment"]>) {
  const lines = [
    `Content-Type: ${contentType}`,
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n"),
  ];
  return { raw: lines.join("\r\n") };
}

export function mailFor(message: OwnerMessage, addresses: Addresses): MailMessage {
  switch (message.kind) {
    case "application":
      return applicationMail(message, addresses);
    case "weekly":
    case "witness":
      return weeklyMail(message.summary, addresses);
    case "digest":
      return digestMail(message, addresses);
    case "alarm":
      return alarmMail(message, addresses);
    case "test":
      return testMail(message.text, addresses);
  }
}

/**
 * The mail carrier. The server says for each recipient whether it takes the mail; a later attempt names only those
 * in its envelope that do not have it yet. The Message-ID stays the same.
 */
export function openMail(
  config: MailConfig,
  siteUrl: string,
  limits: SmtpLimits = SMTP_LIMITS,
): MessageCarrier {
  const options = smtpOptions(config.smtpUrl, siteUrl);
  const { opening, envelope, data, block, finalDot } = limits;
  return {
    recipients: [...new Set(config.to)],
    tryLimitMs: 2 * opening + (1 + config.to.length) * envelope + data + block + finalDot,
    segments: () => 0,
    shortens: () => false,
    async send(message, recipients, terms) {
      const mail = mailFor(message, config);
      const letter = {
        from: addressOf(config.from),
        to: recipients,
        content: await composeMail(mail),
        words: `${mail.subject} ${mail.text}`,
      };
      const end = await converse(options, letter, { ...terms, limits });
      if (end.ended === "held") return recipients.map(() => ({ outcome: "unsent" }) as const);
      const rest: SendEnd =
        end.ended === "taken"
          ? { outcome: "delivered", providerId: mail.messageId }
          : endOf(end.fault);
      return recipients.map((recipient) => {
        const own = end.refused.get(recipient);
        return own === undefined ? rest : endOf(own);
      });
    },
  };
}
