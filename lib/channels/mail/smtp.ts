/** Mail to the owner, over SMTP. With mail-examination.ts the only file that knows nodemailer. */
import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer";
import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";
import type { MessageChannel, OwnerMessage, SendOutcome } from "#lib/channels/channel.ts";
import { type MailMessage, mailMessage } from "#lib/channels/mail/application.ts";
import { smtpOutcome } from "#lib/channels/mail/error-codes.ts";
import { alarmMail, digestMail, testMail } from "#lib/channels/mail/notices.ts";
import type { MailConfig } from "#lib/config.ts";

const CONNECTION_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

/**
 * One connection for many mails, one after the other: providers count connections, and a process that is
 * killed leaves one mail of which nobody knows whether it was taken. A quiet one is closed before the
 * server does it.
 */
const POOL = { pool: true, maxConnections: 1, idleTimeout: 10_000 } as const;

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
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...CONTENT_ONLY,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A message as the bytes of an `.eml` file. */
export function composeMail(message: MailMessage): Promise<Buffer> {
  return new MailComposer({ ...message, ...CONTENT_ONLY }).compile().build();
}

/** An error of nodemailer's, or one recipient's part of it, as an outcome. */
export function outcomeOf(error: unknown): SendOutcome {
  const part = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const text = (name: string) => {
    const value = part(name);
    return typeof value === "string" ? value : undefined;
  };
  const status = part("responseCode");
  const timeout = text("timeoutType");
  return smtpOutcome({
    status: typeof status === "number" && status > 0 ? status : undefined,
    code: text("code"),
    systemCode: text("originalCode"),
    command: text("command"),
    timedOutBeforeGreeting: timeout !== undefined && timeout !== "SOCKET_TIMEOUT",
  });
}

/** The part of an error that is one recipient's, where there is one. */
function faultFor(recipient: string, error: unknown): unknown {
  const all: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "rejectedErrors") : undefined;
  if (!Array.isArray(all)) return undefined;
  const own = all.find(
    (each) => each instanceof Error && Reflect.get(each, "recipient") === recipient,
  );
  return own;
}

function mailOf(message: OwnerMessage, config: MailConfig): MailMessage {
  switch (message.kind) {
    case "application":
      return mailMessage(message.application, config, message.insteadOf);
    case "digest":
      return digestMail(message, config);
    case "alarm":
      return alarmMail(message, config);
    case "test":
      return testMail(message, config);
  }
}

/**
 * The mail channel. The server says for each recipient whether it takes the mail; a later attempt names
 * only those in its envelope that do not have it yet. The Message-ID stays the same.
 */
export function openMailChannel(config: MailConfig): MessageChannel {
  const transport = createTransport({ ...transportOptions(config.smtpUrl), ...POOL });
  return {
    recipients: config.to,
    async send(message, recipients, signal) {
      const mail = mailOf(message, config);
      const envelope = { from: senderAddress(config.from), to: [...recipients] };
      const delivered: SendOutcome = { outcome: "delivered", providerId: mail.messageId };
      try {
        const taken = await transport.sendMail({ ...mail, ...CONTENT_ONLY, envelope, signal });
        return recipients.map((recipient) => {
          const fault = faultFor(recipient, taken);
          return fault === undefined ? delivered : outcomeOf(fault);
        });
      } catch (error) {
        return recipients.map((recipient) => outcomeOf(faultFor(recipient, error) ?? error));
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** `이름 <a@b.kr>` → `a@b.kr`. */
export function senderAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}
