import { examineMail } from "#lib/channels/mail/preflight.ts";
import { examineSms } from "#lib/channels/sms/preflight.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, warn } from "#lib/finding.ts";

/** Whether the owner would be reached, without sending anything. */
export async function examineChannels({
  sms,
  mail,
}: Pick<Config, "sms" | "mail">): Promise<Finding[]> {
  if (!sms && !mail) {
    const sentence =
      "문자도 메일도 설정되지 않아 신청이 파일로만 쌓이고 아무에게도 알려지지 않습니다. .env에 TWILIO_ 또는 SMTP_URL 설정을 넣어 주세요.";
    return [fault("channels", sentence)];
  }
  const findings = await Promise.all([
    sms
      ? examineSms(sms)
      : [
          warn(
            "channels",
            "문자가 설정되지 않아 모든 신청이 메일로만 갑니다. 문자도 받으려면 .env에 SMS_TO와 TWILIO_ 설정을 넣어 주세요.",
          ),
        ],
    mail
      ? examineMail(mail)
      : [
          warn(
            "channels",
            "메일이 설정되지 않아 문자가 막히면 알릴 길이 없습니다. .env에 SMTP_URL, MAIL_FROM, MAIL_TO를 넣어 주세요.",
          ),
        ],
  ]);
  return findings.flat();
}
