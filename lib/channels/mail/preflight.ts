/** A look at the mail server without sending anything: it connects, encrypts and logs in. */
import { createTransport } from "nodemailer";
import { faultIn, SMTP_LIMITS } from "#lib/channels/mail/conversation.ts";
import { smtpOutcome } from "#lib/channels/mail/error-codes.ts";
import { transportOptions } from "#lib/channels/mail/smtp.ts";
import type { MailConfig } from "#lib/config.ts";
import { type Finding, fault, ok } from "#lib/finding.ts";

/** A person waits for the answer. */
const ANSWER_LIMIT_MS = 20_000;

/** Never throws. */
export async function examineMail({ smtpUrl }: MailConfig): Promise<Finding[]> {
  const options = transportOptions(smtpUrl);
  const transport = createTransport({
    ...options,
    connectionTimeout: SMTP_LIMITS.opening,
    greetingTimeout: SMTP_LIMITS.opening,
    socketTimeout: ANSWER_LIMIT_MS,
  });
  try {
    await transport.verify();
    const sentence = options.auth
      ? "메일 서버에 연결되고 로그인됩니다."
      : "메일 서버에 로그인 없이 연결됩니다.";
    return [ok("smtp", sentence)];
  } catch (error) {
    const outcome = smtpOutcome(faultIn(error, { stage: "connect", left: false }));
    const advice = "advice" in outcome ? outcome.advice : "";
    return [fault("smtp", `${advice} (SMTP_URL)`)];
  } finally {
    transport.close();
  }
}
