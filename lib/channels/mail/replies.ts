/**
 * Judges a failed conversation with the mail server: what became of the mail, whose fault it is, and what the owner can
 * do. The status codes are from RFC 5321 section 4.2.3 and RFC 4954 section 6 (login), the enhanced status codes from
 * RFC 3463 and the providers' documents.
 */
import type { SmtpFailure } from "#lib/channels/mail/conversation.ts";
import { withProviderWords } from "#lib/channels/provider-text.ts";
import type { Answer, Fault } from "#lib/storage/outcomes.ts";

type Explanation = Pick<Fault, "about" | "advice">;

const aboutChannel = (advice: string): Explanation => ({ about: "channel", advice });
const aboutRecipient = (advice: string): Explanation => ({ about: "recipient", advice });
const aboutMessage = (advice: string): Explanation => ({ about: "message", advice });

const APP_PASSWORD_FAULT = aboutChannel(
  "메일 계정의 비밀번호 대신 앱 비밀번호가 필요합니다. 메일 계정의 보안 설정에서 앱 비밀번호를 만들어 넣어 주세요.",
);
const LOGIN_FAULT = aboutChannel(
  "메일 서버가 로그인을 거부했거나 로그인 없이는 메일을 받지 않습니다. 메일 계정의 아이디와 비밀번호 설정을 확인해 주세요. 네이버, 다음, Gmail이라면 앱 비밀번호를 넣고, 메일 설정에서 SMTP 사용을 켜 주세요.",
);
const ENCRYPTION_FAULT = aboutChannel(
  "메일 서버와 안전하게 연결하지 못합니다. 메일 서버의 주소와 포트, 인증서, 암호화 방식(TLS, STARTTLS)을 확인해 주세요.",
);
const UNREACHABLE_FAULT = aboutChannel(
  "메일 서버를 찾지 못하거나 연결되지 않습니다. 메일 서버의 주소와 포트 설정이 맞으면 서버 업체가 메일 포트(465, 587)를 막지 않았는지, 메일 서비스에 장애가 없는지 확인해 주세요.",
);
const NO_ANSWER_FAULT = aboutChannel(
  "메일 서버와의 연결이 끊어지거나 답이 없습니다. 메일 서비스의 장애 공지를 확인해 주세요.",
);
const IN_DOUBT_FAULT = aboutChannel(
  "메일을 넘긴 뒤 메일 서버가 받았다는 답을 하지 않습니다. 메일함을 확인해 주세요.",
);
const BLOCKED_FAULT = aboutChannel(
  "메일 서버가 이 메일 계정이나 이 서버에서 보내는 메일을 막고 있습니다. 메일 계정의 상태와 발송 한도, 허용 IP 설정을 확인하고, 이상이 없으면 메일 서비스에 문의해 주세요.",
);
const SENDER_FAULT = aboutChannel(
  "메일 서버가 보내는 주소를 거부했습니다. 보내는 주소는 로그인한 메일 계정의 주소여야 합니다. 보내는 주소 설정을 확인해 주세요.",
);
const SENDER_DOMAIN_FAULT = aboutChannel(
  "보내는 주소의 도메인 인증(SPF, DKIM)이 맞지 않아 거부되었습니다. 도메인의 DNS 설정을 확인해 주세요.",
);
const LATER_ADVICE =
  "메일 서버가 지금은 메일을 받지 않아 잠시 뒤 다시 보냅니다. 계속되면 메일 계정의 상태와 발송 한도를 확인해 주세요.";
const MAILBOX_FULL_FAULT = aboutRecipient("받는 메일함이 가득 찼습니다. 메일함을 비워 주세요.");
const ADDRESS_FAULT = aboutRecipient(
  "받는 주소가 메일 서버에 없거나 쓸 수 없는 주소입니다. 받는 주소 설정을 확인해 주세요.",
);
const SIZE_FAULT = aboutMessage(
  "메일 서버가 이 메일의 크기나 한 번에 받는 주소의 수를 거부했습니다. 계속되면 관리자에게 알려 주세요.",
);
const CONTENT_FAULT = aboutMessage(
  "메일 서버가 이 메일의 내용을 거부했습니다. 계속되면 메일 계정의 스팸 차단 설정을 확인해 주세요.",
);
const UNKNOWN_ADVICE =
  "정확한 이유는 알 수 없습니다. 받는 주소와 메일 계정의 상태를 확인하고, 계속되면 메일 서비스에 문의해 주세요.";

const ANYTHING_PATTERN = /^/;
const CONTENT_STEPS_PATTERN = /^(message|finalDot)$/;
const RECIPIENT_STEP_PATTERN = /^recipient$/;
const LOGIN_STEP_PATTERN = /^login$/;

/**
 * The first row that fits a failure counts: the step, the server's reply or an error code, and what it means. Replies
 * of real servers for all rows are in replies.test.ts.
 */
const EXPLANATIONS: readonly [step: RegExp, reply: RegExp, meaning: Explanation][] = [
  // Statuses that have one meaning.
  [LOGIN_STEP_PATTERN, /^534|^\d+ 5\.7\.9\b/, APP_PASSWORD_FAULT],
  [LOGIN_STEP_PATTERN, /^(5|EAUTH)/, LOGIN_FAULT],
  [/^tls$/, ANYTHING_PATTERN, ENCRYPTION_FAULT],
  [ANYTHING_PATTERN, /^(523|538)\b|^\d+ 5\.7\.1[01]\b|^530.*STARTTLS/, ENCRYPTION_FAULT],
  [ANYTHING_PATTERN, /^530 5\.7\./, LOGIN_FAULT],
  [
    ANYTHING_PATTERN,
    /^([A-Z_]*(CERT|SIGNATURE|SSL|TLS)|EPROTO$|UNSPECIFIED|INVALID_)/,
    ENCRYPTION_FAULT,
  ],
  [ANYTHING_PATTERN, /^\d+ [45]\.2\.2\b/, MAILBOX_FULL_FAULT],
  [ANYTHING_PATTERN, /^5\d\d 5\.1\.[1-6]\b(?!.*relay)/i, ADDRESS_FAULT],
  [RECIPIENT_STEP_PATTERN, /^5\d\d 5\.2\.[0-4]\b/, ADDRESS_FAULT],
  [ANYTHING_PATTERN, /^(EMESSAGE|\d+ [45]\.5\.3|55[24] 5\.(3\.4|2\.3))\b/, SIZE_FAULT],
  [ANYTHING_PATTERN, /^\d+ ([45]\.1\.[78]|5\.7\.60|5\.2\.252)\b/, SENDER_FAULT],
  [ANYTHING_PATTERN, /^\d+ [45]\.7\.(2[0-467]|509|515)\b|^\d+ 5\.7\.30\b/, SENDER_DOMAIN_FAULT],
  [CONTENT_STEPS_PATTERN, /^552 5\.7\.0\b/, CONTENT_FAULT],
  [ANYTHING_PATTERN, /^421/, aboutChannel(LATER_ADVICE)],
  // Words, because many servers give one status for everything.
  [
    ANYTHING_PATTERN,
    /^5.*(auth(entication)? (is )?required|authenticate|AUTH command|logged in)/i,
    LOGIN_FAULT,
  ],
  [ANYTHING_PATTERN, /^[45].*\b(mail|in)box\b.*\b(full|quota)\b/i, MAILBOX_FULL_FAULT],
  [ANYTHING_PATTERN, /^5.*\b(SPF|DKIM|DMARC)\b/, SENDER_DOMAIN_FAULT],
  [ANYTHING_PATTERN, /^5.*\b(sender|from (this )?(address|header))\b/i, SENDER_FAULT],
  [CONTENT_STEPS_PATTERN, /^5.*\brecipient\b.*\binactive\b/i, ADDRESS_FAULT],
  // Microsoft gives 5.7.501 and similar codes to an account or a host that sends spam, not to one mail.
  [
    CONTENT_STEPS_PATTERN,
    /^5(?!\d\d 5\.7\.\d{3})(?!.*\bIP\b).*\b(spam|unsolicited|virus|malware|phishing|content)/i,
    CONTENT_FAULT,
  ],
  [
    ANYTHING_PATTERN,
    /^5.*(spam|your account|outbound|outgoing|relay|rcpthosts|suspen|activity|polic(y|ies)|not (allowed|authori[sz]ed|verified)|demo domain|failures|\bhost\b|(?<![a-z])IP(?![a-z]))/i,
    BLOCKED_FAULT,
  ],
  // The other failures are explained by their step, their status, or both.
  [ANYTHING_PATTERN, /^5\d\d 5\.[47]\.[1-9]/, BLOCKED_FAULT],
  [/^connect$/, /^5/, BLOCKED_FAULT],
  [
    RECIPIENT_STEP_PATTERN,
    /^55/,
    aboutRecipient(`메일 서버가 이 받는 주소로 보내는 메일을 거부했습니다. ${UNKNOWN_ADVICE}`),
  ],
  [
    CONTENT_STEPS_PATTERN,
    /^5/,
    aboutMessage(`메일 서버가 이 메일을 거부했습니다. ${UNKNOWN_ADVICE}`),
  ],
  [ANYTHING_PATTERN, /^5/, aboutChannel(`메일 서버가 메일을 받지 않습니다. ${UNKNOWN_ADVICE}`)],
  [RECIPIENT_STEP_PATTERN, /^4/, aboutRecipient(LATER_ADVICE)],
  [ANYTHING_PATTERN, /^4/, aboutChannel(LATER_ADVICE)],
  [/^connect$/, ANYTHING_PATTERN, UNREACHABLE_FAULT],
  [/^finalDot$/, ANYTHING_PATTERN, IN_DOUBT_FAULT],
];

export function classifySmtpFailure(failure: SmtpFailure): Answer {
  const { step, status = 0, enhanced, words } = failure;
  const reply = [status || "", enhanced, words].filter(Boolean).join(" ");
  const [, , { about, advice } = NO_ANSWER_FAULT] =
    EXPLANATIONS.find(
      ([stepPattern, replyPattern]) => stepPattern.test(step) && replyPattern.test(reply),
    ) ?? [];
  const toFault = (error: string): Fault => ({
    error: `${error} at ${step}: ${reply}`,
    about,
    advice: withProviderWords(advice, reply),
  });
  if (step === "finalDot" && status < 400)
    return { outcome: "unknown", fault: toFault("the mail may have gone out,") };
  // Nodemailer gives EAUTH for a login without a password, and EMESSAGE for a mail above the server's size limit.
  return status >= 500 || words === "EAUTH" || words === "EMESSAGE"
    ? { outcome: "rejected", fault: toFault("the mail server refuses") }
    : { outcome: "not-sent", fault: toFault("the mail did not go out,") };
}
