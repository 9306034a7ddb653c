/**
 * What a mail server's reply, or its absence, means for a delivery, and what the owner can do. The statuses
 * are those of RFC 5321 section 4.2.3 and RFC 4954 section 6 (logging in); the codes without a status are
 * nodemailer's own, https://nodemailer.com/errors
 */
import type { SendOutcome } from "#lib/channels/channel.ts";

/** What nodemailer knows of a fault, figures and its own constants only: never the server's text. */
export interface SmtpFault {
  /** The server's status. */
  status: number | undefined;
  /** Nodemailer's name for the fault. */
  code: string | undefined;
  /** The system's name for it. */
  systemCode: string | undefined;
  /** In which command it came. */
  command: string | undefined;
  timedOutBeforeGreeting: boolean;
}

const SETTINGS = "SMTP_URL의 주소와 포트를 확인해 주세요.";
const UNTRUSTED = "메일 서버의 인증서를 믿을 수 없습니다. 인증서를 확인해 주세요.";

/** Faults that came before anything could be handed over. */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: `메일 서버가 연결을 받지 않습니다. ${SETTINGS}`,
  EHOSTUNREACH: `메일 서버에 닿지 않습니다. ${SETTINGS}`,
  ENETUNREACH: `메일 서버에 닿지 않습니다. ${SETTINGS}`,
  EDNS: `메일 서버의 이름을 찾지 못합니다. ${SETTINGS}`,
  ETLS: "메일 서버와 안전하게 연결하지 못합니다. 서버의 인증서와 암호화(STARTTLS) 설정을 확인해 주세요.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_NOT_YET_VALID: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "메일 서버의 인증서가 다른 주소의 것입니다. SMTP_URL의 주소를 확인해 주세요.",
  CERT_HAS_EXPIRED: "메일 서버의 인증서가 만료되었습니다. 인증서를 갱신해 주세요.",
};

export function smtpOutcome(fault: SmtpFault): SendOutcome {
  const { status, code, systemCode, command } = fault;
  const figures = [code, systemCode, status, command].filter(Boolean).join(" ") || "no answer";
  const refuses = `the mail server refuses (${figures})`;
  const failed = `the mail did not go out (${figures})`;
  if (command === "STARTTLS" || command === "EHLO" || code === "ETLS") {
    const error = status && status >= 500 ? refuses : failed;
    const known = { error, advice: BEFORE_SENDING.ETLS ?? "" };
    return status && status >= 500
      ? { outcome: "refused", dead: "channel", ...known }
      : { outcome: "retry", ...known };
  }
  if (code === "EAUTH" || status === 530 || status === 535) {
    const advice =
      "메일 서버가 로그인을 거부했습니다. SMTP_URL의 아이디와 비밀번호를 확인해 주세요.";
    return status && status < 500
      ? { outcome: "retry", error: failed, advice }
      : { outcome: "refused", dead: "channel", error: refuses, advice };
  }
  if (status && status >= 500) {
    return command === "RCPT TO"
      ? {
          outcome: "refused",
          dead: "recipient",
          error: refuses,
          advice: "메일 서버가 받는 주소를 거부했습니다. MAIL_TO의 주소를 확인해 주세요.",
        }
      : {
          outcome: "refused",
          dead: "channel",
          error: refuses,
          advice: `메일 서버가 메일을 거부했습니다(${status}). MAIL_FROM의 주소와 메일 계정의 상태를 확인해 주세요.`,
        };
  }
  if (status) {
    const advice = `메일 서버가 지금은 메일을 받지 않습니다(${status}). 계속되면 메일 계정의 용량과 상태를 확인해 주세요.`;
    return { outcome: "retry", error: failed, advice };
  }
  const before = BEFORE_SENDING[systemCode ?? ""] ?? BEFORE_SENDING[code ?? ""];
  if (before) return { outcome: "retry", error: failed, advice: before };
  const advice = `메일 서버와의 연결이 끊어집니다. ${SETTINGS}`;
  return fault.timedOutBeforeGreeting
    ? { outcome: "retry", error: failed, advice }
    : { outcome: "unknown", error: `the mail may have gone out (${figures})`, advice };
}
