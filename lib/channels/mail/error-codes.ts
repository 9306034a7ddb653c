/**
 * What a mail server's reply, or its absence, means for a delivery, and what the owner can do. The statuses
 * are those of RFC 5321 section 4.2.3 and RFC 4954 section 6 (logging in); the codes without a status are
 * nodemailer's own, https://nodemailer.com/errors
 */
import type { SendOutcome } from "#lib/channels/channel.ts";

/** The steps of a conversation, in order. `size`: larger than the server takes. `message`: from its first byte to the answer. */
export type SmtpStage =
  | "connect"
  | "tls"
  | "login"
  | "sender"
  | "recipient"
  | "data"
  | "size"
  | "message";

/** What is known of a fault, figures and nodemailer's constants only: never the server's text. */
export interface SmtpFault {
  stage: SmtpStage;
  /** The server's status. */
  status: number | undefined;
  /** Nodemailer's name for the fault. */
  code: string | undefined;
  /** The system's name for it. */
  systemCode: string | undefined;
  /** Whether the whole message had left: without a status nobody knows then whether it was taken. */
  left: boolean;
}

const COMMANDS: Readonly<Record<string, SmtpStage>> = {
  EHLO: "connect",
  HELO: "connect",
  STARTTLS: "tls",
  MAIL: "sender",
  RCPT: "recipient",
  DATA: "data",
};

/** `MAIL FROM:<…>` → `sender`. Logging in takes lines of any kind. */
export function stageOfCommand(line = ""): SmtpStage {
  return COMMANDS[/^[A-Z]+/.exec(line)?.[0] ?? ""] ?? "login";
}

const ADDRESS = "메일 서버의 주소와 포트 설정을 확인해 주세요.";
const UNTRUSTED = "메일 서버의 인증서를 믿을 수 없습니다. 인증서를 확인해 주세요.";
const NO_TLS =
  "메일 서버와 안전하게 연결하지 못합니다. 서버의 인증서와 암호화(STARTTLS) 설정을 확인해 주세요.";

/** Faults whose names say more than the step in which they came. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: `메일 서버가 연결을 받지 않습니다. ${ADDRESS}`,
  EHOSTUNREACH: `메일 서버에 연결되지 않습니다. ${ADDRESS}`,
  ENETUNREACH: `메일 서버에 연결되지 않습니다. ${ADDRESS}`,
  EDNS: `메일 서버의 이름을 찾지 못합니다. ${ADDRESS}`,
  ETLS: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_NOT_YET_VALID: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "메일 서버의 인증서가 다른 주소의 것입니다. 메일 서버의 주소 설정을 확인해 주세요.",
  CERT_HAS_EXPIRED: "메일 서버의 인증서가 만료되었습니다. 인증서를 갱신해 주세요.",
};

/** A server that says no, for now or for good. */
const REFUSED: Readonly<Record<SmtpStage, string>> = {
  connect: "메일 서버가 연결을 거부했습니다. 메일 계정의 상태를 확인해 주세요.",
  tls: NO_TLS,
  login: "메일 서버가 로그인을 거부했습니다. 메일 계정의 아이디와 비밀번호 설정을 확인해 주세요.",
  sender:
    "메일 서버가 보내는 주소를 거부했습니다. 보내는 주소 설정과 메일 계정의 상태를 확인해 주세요.",
  recipient: "메일 서버가 받는 주소를 거부했습니다. 받는 주소 설정을 확인해 주세요.",
  data: "메일 서버가 메일을 받지 않습니다. 메일 계정의 상태를 확인해 주세요.",
  size: "메일이 메일 서버가 받는 크기보다 큽니다. 메일함의 남은 용량과 크기 제한을 확인해 주세요.",
  message:
    "메일 서버가 메일 내용을 거부했습니다. 스팸 차단 설정과 메일 계정의 상태를 확인해 주세요.",
};

/** A server that says nothing, or goes away. */
const SILENT: Readonly<Record<SmtpStage, string>> = {
  connect: `메일 서버와의 연결이 끊어집니다. ${ADDRESS}`,
  tls: NO_TLS,
  login: "메일 서버가 로그인에 답하지 않습니다. 메일 서비스의 장애 공지를 확인해 주세요.",
  sender: "메일 서버가 보내는 주소에 답하지 않습니다. 메일 서비스의 장애 공지를 확인해 주세요.",
  recipient: "메일 서버가 받는 주소에 답하지 않습니다. 메일 서비스의 장애 공지를 확인해 주세요.",
  data: "메일 서버가 메일을 받겠다는 답을 하지 않습니다. 메일 서비스의 장애 공지를 확인해 주세요.",
  size: "메일을 다 보내기 전에 연결이 끊어졌습니다. 메일 서비스의 장애 공지를 확인해 주세요.",
  message:
    "메일을 넘긴 뒤 메일 서버가 받았다는 답을 하지 않습니다. 메일함을 확인하고, 메일 서비스의 장애 공지를 확인해 주세요.",
};

/** A mailbox or a system that is full, or a message that is too large: RFC 5321 section 4.2.3. */
const SIZE_STATUSES = new Set([452, 552]);

export function smtpOutcome(fault: SmtpFault): SendOutcome {
  const { status, code, left } = fault;
  const stage = status && SIZE_STATUSES.has(status) ? "size" : fault.stage;
  const figures = [code, fault.systemCode, status, `at ${stage}`].filter(Boolean).join(" ");
  const advice = adviceOn({ ...fault, stage });
  if (status === undefined && left) {
    return { outcome: "unknown", error: `the mail may have gone out (${figures})`, advice };
  }
  const isFinal =
    (status !== undefined && status >= 500) ||
    (stage === "size" && status === undefined) ||
    // Without a status nodemailer itself refuses to log in: a password is missing.
    (code === "EAUTH" && status === undefined);
  if (!isFinal) {
    return { outcome: "retry", error: `the mail did not go out (${figures})`, advice };
  }
  const dead = fault.stage === "recipient" ? "recipient" : "channel";
  return { outcome: "refused", dead, error: `the mail server refuses (${figures})`, advice };
}

function adviceOn({ stage, status, code, systemCode }: SmtpFault): string {
  // 530: the server wants a login, whatever it was asked.
  if (status === 530 || status === 535) return REFUSED.login;
  if (status === undefined) {
    const known = BY_CODE[systemCode ?? ""] ?? BY_CODE[code ?? ""];
    return known ?? (code === "EAUTH" || stage === "size" ? REFUSED[stage] : SILENT[stage]);
  }
  if (stage === "login" || stage === "tls") return REFUSED[stage];
  if (status >= 500 || stage === "size") return withStatus(REFUSED[stage], status);
  return `메일 서버가 지금은 메일을 받지 않습니다(${status}). 계속되면 메일 계정의 용량과 상태를 확인해 주세요.`;
}

/** `… 거부했습니다. …` → `… 거부했습니다(550). …` */
function withStatus(advice: string, status: number): string {
  return advice.replace(".", `(${status}).`);
}
