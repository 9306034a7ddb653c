/** A look at the mail server without sending anything: it connects, encrypts and logs in. */
import { converse, SMTP_LIMITS } from "#lib/channels/mail/conversation.ts";
import { addressOf } from "#lib/channels/mail/message.ts";
import { endOf } from "#lib/channels/mail/replies.ts";
import { smtpOptions } from "#lib/channels/mail/smtp.ts";
import type { Config, MailConfig } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

/** A person waits for the answer. */
const LOOK_LIMIT_MS = 20_000;

/** Never throws. */
export async function examineMail(
  { smtpUrl, from }: MailConfig,
  { siteUrl }: Pick<Config, "siteUrl">,
): Promise<Finding[]> {
  const options = smtpOptions(smtpUrl, siteUrl);
  const limits = { ...SMTP_LIMITS, opening: LOOK_LIMIT_MS };
  const end = await converse(options, undefined, {
    signal: AbortSignal.timeout(2 * LOOK_LIMIT_MS),
    limits,
  });
  if (end.ended === "failed") {
    const { fault: found } = endOf(end.fault);
    return [fault("smtp", `${found?.advice} (SMTP_URL) ${found?.error}`)];
  }
  const sentence = options.auth
    ? "메일 서버에 연결되고 로그인됩니다."
    : "메일 서버에 로그인 없이 연결됩니다.";
  return [ok("smtp", sentence), ...senderFinding(addressOf(from), options.auth?.user)];
}

/** A provider that is known for it takes mails of the account's own address only. */
function senderFinding(from: string, user = ""): Finding[] {
  if (!user.includes("@") || user.toLowerCase() === from.toLowerCase()) return [];
  const sentence = `보내는 주소(MAIL_FROM)가 ${from}인데 로그인은 ${user}입니다. 네이버, 다음, Gmail은 로그인한 주소로 보낸 메일만 받으니 같은 주소로 바꿔 주세요. 메일 서비스에 보내는 주소로 등록해 두셨다면 그대로 두셔도 됩니다.`;
  return [warn("mail-from", sentence)];
}
