/** What is known of a conversation with a mail server that failed. */
import { providerText } from "#lib/channels/provider-text.ts";

/** The steps of a conversation, in order. `message`: from its first byte to the answer. */
export type SmtpStep = "connect" | "tls" | "login" | "sender" | "recipient" | "data" | "message";

export interface SmtpFault {
  step: SmtpStep;
  /** Whether the whole message had left: without a status nobody knows then whether it was taken. */
  left: boolean;
  /** The server's status, such as 550. */
  status: number | undefined;
  /** Its enhanced status, such as `5.7.26`: RFC 3463. */
  enhanced: string | undefined;
  /** Its words, without those of the mail and without addresses; empty when it said nothing. */
  said: string;
  /** Nodemailer's name for the fault, https://nodemailer.com/errors */
  code: string | undefined;
  /** The system's name for it. */
  systemCode: string | undefined;
}

/** What an error does not say itself. */
interface Known extends Pick<SmtpFault, "step" | "left"> {
  /** What the mail says. */
  sent: string;
}

const COMMANDS: Readonly<Record<string, SmtpStep>> = {
  EHLO: "connect",
  HELO: "connect",
  STARTTLS: "tls",
  AUTH: "login",
  MAIL: "sender",
  RCPT: "recipient",
};
const CODES = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})\b)?/;

/** An error of nodemailer's → what it says. */
export function faultIn(error: unknown, { step, left, sent }: Known): SmtpFault {
  const reply = textOf(error, "response") ?? "";
  const [, status, enhanced] = CODES.exec(reply) ?? [];
  const words = reply.split(/\r?\n/).map((line) => line.replace(CODES, ""));
  const [command = ""] = (textOf(error, "command") ?? "").split(" ");
  const code = textOf(error, "code");
  return {
    step: code === "ETLS" ? "tls" : (COMMANDS[command] ?? step),
    left,
    status: status === undefined ? undefined : Number(status),
    enhanced,
    said: providerText(words.join(" "), sent),
    code,
    systemCode: textOf(error, "originalCode"),
  };
}

/** What the server said about single recipients; nodemailer puts it into its errors and its results. */
export function refusalsIn(told: unknown, known: Known): Map<string, SmtpFault> {
  const errors = memberOf(told, "rejectedErrors");
  const refused = (Array.isArray(errors) ? errors : []).map(
    (error) => [textOf(error, "recipient") ?? "", faultIn(error, known)] as const,
  );
  return new Map(refused);
}

function memberOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

function textOf(error: unknown, name: string): string | undefined {
  const value = memberOf(error, name);
  return typeof value === "string" ? value : undefined;
}
