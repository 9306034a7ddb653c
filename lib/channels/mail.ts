/** Mail to the owner, over SMTP. The only file that knows nodemailer. */
import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer";
import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";
import type { MessageChannel, SendOutcome } from "#lib/channels/channel.ts";
import { type MailMessage, mailMessage } from "#lib/channels/mail-message.ts";
import type { MailConfig } from "#lib/config.ts";
import { log } from "#lib/log.ts";

const CONNECTION_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

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

/** What nodemailer says about a fault, figures and its own constants only: never the server's text. */
function faultOf(error: unknown): { permanent: boolean; figures: string } {
  const part = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const parts = [part("code"), part("originalCode"), part("responseCode"), part("command")];
  const figures = parts.filter((value) => typeof value === "string" || typeof value === "number");
  return { permanent: part("permanent") === true, figures: figures.join(" ") || "no answer" };
}

/**
 * A 5xx is refused for good as things stand (535: the login in SMTP_URL is wrong; at STARTTLS: no
 * encryption to be had), a 4xx is a matter of waiting, and without a status the connection failed. The
 * Message-ID is fixed, so that a mail that was taken just before the connection broke may go out again.
 */
function outcomeOf(error: unknown): SendOutcome {
  const { permanent, figures } = faultOf(error);
  return permanent
    ? { outcome: "refused", error: `the mail server refuses (${figures})` }
    : { outcome: "retry", error: `the mail did not go out (${figures})` };
}

/**
 * The mail channel. With several owner's addresses, one that was taken makes the mail delivered: a repeat
 * would reach again those that have it. What the server refused for the others is logged.
 */
export function openMailChannel(config: MailConfig): MessageChannel {
  const transport = createTransport(transportOptions(config.smtpUrl));
  return {
    async send(stored, signal) {
      const message = mailMessage(stored, config);
      try {
        const taken = await transport.sendMail({ ...message, ...CONTENT_ONLY, signal });
        if (taken.rejected.length > 0) {
          log.warn(
            { applicationId: stored.applicationId, refused: taken.rejected.length },
            "some addresses in MAIL_TO were refused by the mail server, another got this application",
          );
        }
        return { outcome: "delivered", providerId: message.messageId };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}
