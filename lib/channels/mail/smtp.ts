/** Mail to the owner, over SMTP. */
import MailComposer from "nodemailer/lib/mail-composer";
import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";
import type { MessageChannel, OwnerMessage, SendOutcome } from "#lib/channels/channel.ts";
import { mailMessage } from "#lib/channels/mail/application.ts";
import { MailConnections } from "#lib/channels/mail/connections.ts";
import {
  converse,
  LONGEST_CONVERSATION_MS,
  type SmtpLimits,
} from "#lib/channels/mail/conversation.ts";
import { smtpOutcome } from "#lib/channels/mail/error-codes.ts";
import { addressOf, type MailMessage } from "#lib/channels/mail/message.ts";
import { alarmMail, digestMail, testMail } from "#lib/channels/mail/notices.ts";
import { weeklyMail } from "#lib/channels/mail/weekly.ts";
import type { MailConfig } from "#lib/config.ts";

/** The mail's content is ours alone: nothing in it makes nodemailer read a file or fetch an address. */
const CONTENT_ONLY = { disableFileAccess: true, disableUrlAccess: true } as const;

/**
 * SMTP_URL → nodemailer's options. Off this machine neither the login nor the application travels in
 * clear text: `smtps:`, or STARTTLS with a valid certificate, or nothing. On loopback TLS is optional
 * and its certificate is not checked, because nobody is in between. Query parameters are not read.
 */
export function transportOptions(smtpUrl: string): SMTPTransportOptions {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "smtps:";
  const loopback = isLoopback(host);
  const auth = url.username && {
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  };
  return {
    host,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && !loopback,
    ...(loopback ? { tls: { rejectUnauthorized: false } } : {}),
    ...(auth ? { auth } : {}),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A message as the bytes of an `.eml` file. Quoted-printable would make nine bytes of each Korean syllable. */
export function composeMail(message: MailMessage): Promise<Buffer> {
  const options = { ...message, ...CONTENT_ONLY, textEncoding: "base64" } as const;
  return new MailComposer(options).compile().build();
}

function mailOf(message: OwnerMessage, config: MailConfig): MailMessage {
  switch (message.kind) {
    case "application":
      return mailMessage(message.application, config, message);
    case "weekly":
      return weeklyMail(message.summary, config);
    case "digest":
      return digestMail(message, config);
    case "alarm":
      return alarmMail(message, config);
    case "test":
      return testMail(message, config);
  }
}

/**
 * The mail channel. A mail takes a connection that is idle, or opens one: nothing waits in a queue that the
 * delivery engine does not see. The server says for each recipient whether it takes the mail; a later
 * attempt names only those in its envelope that do not have it yet. The Message-ID stays the same.
 */
export function openMailChannel(config: MailConfig, limits?: SmtpLimits): MessageChannel {
  const connections = new MailConnections(transportOptions(config.smtpUrl));
  return {
    recipients: config.to,
    tryLimitMs: LONGEST_CONVERSATION_MS,
    async send(message, recipients, { signal, mayLeave = async () => true }) {
      const mail = mailOf(message, config);
      const letter = {
        from: addressOf(config.from),
        to: recipients,
        content: await composeMail(mail),
      };
      const end = await converse(connections, letter, {
        mayLeave,
        signal,
        ...(limits ? { limits } : {}),
      });
      if (end.ended === "held") return recipients.map(() => ({ outcome: "held" }) as const);
      const rest: SendOutcome =
        end.ended === "taken"
          ? { outcome: "delivered", providerId: mail.messageId }
          : smtpOutcome(end.fault);
      return recipients.map((recipient) => {
        const own = end.refused.get(recipient);
        return own === undefined ? rest : smtpOutcome(own);
      });
    },
    close: () => connections.close(),
  };
}
