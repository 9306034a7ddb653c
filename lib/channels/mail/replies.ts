/**
 * What a mail server's reply, or its absence, means for a delivery, and what the owner can do. The statuses are
 * those of RFC 5321 section 4.2.3 and RFC 4954 section 6 (logging in), the enhanced ones of RFC 3463 and what
 * Gmail and Microsoft make of them: https://support.google.com/a/answer/3726730
 */
import type { Fault, SendEnd } from "#lib/channels/carrier.ts";
import type { SmtpFault, SmtpStep } from "#lib/channels/mail/fault.ts";

type Meaning = Pick<Fault, "about" | "advice">;

const ADDRESS = "메일 서버의 주소와 포트 설정을 확인해 주세요.";
const ACCOUNT = "메일 계정의 아이디와 비밀번호 설정을 확인해 주세요.";
const NOTICES = "메일 서비스의 장애 공지를 확인해 주세요.";
const CERTIFICATE = "메일 서버의 인증서를 믿을 수 없습니다. 인증서를 확인해 주세요.";
const NO_TLS =
  "메일 서버와 안전하게 연결하지 못합니다. 서버의 인증서와 암호화(STARTTLS) 설정을 확인해 주세요.";
const TOO_LARGE = "메일이 메일 서버가 받는 크기보다 큽니다. 관리자에게 알려 주세요.";

const SENDER =
  /send ?as|from address|sender (address|is|not|rejected|denied)|unauthori[sz]ed sender/i;

/** Replies that say more than the step in which they come; the first that fits counts. */
const REPLIES: readonly (Meaning & { fits: (reply: SmtpFault) => boolean })[] = [
  {
    fits: ({ step, status, enhanced, said }) =>
      status === 534 || enhanced === "5.7.9" || (step === "login" && /app\S* password/i.test(said)),
    about: "channel",
    advice:
      "메일 계정의 비밀번호 대신 앱 비밀번호가 필요합니다. 메일 계정의 보안 설정에서 앱 비밀번호를 만들어 넣어 주세요.",
  },
  {
    fits: ({ step, status, enhanced }) =>
      enhanced === "5.7.139" || (step === "login" && status === 504),
    about: "channel",
    advice:
      "메일 서버가 비밀번호 로그인을 받지 않습니다. 메일 계정에서 SMTP 사용을 켜거나 다른 메일 서비스를 써 주세요.",
  },
  {
    fits: ({ step, status = 0 }) => status === 421 || (step === "login" && isForNow(status)),
    about: "channel",
    advice: `메일 서버가 지금은 연결을 받지 않습니다. 잠시 뒤 다시 보냅니다. 계속되면 ${NOTICES}`,
  },
  {
    fits: ({ status, said }) =>
      status === 530 || status === 535 || /authentication (is )?required/i.test(said),
    about: "channel",
    advice: `메일 서버가 로그인을 거부했습니다. ${ACCOUNT}`,
  },
  {
    fits: ({ enhanced = "", said }) =>
      /^[45]\.7\.2[0-467]$/.test(enhanced) || /\b(SPF|DKIM|DMARC)\b/.test(said),
    about: "channel",
    advice:
      "보내는 주소의 도메인 인증(SPF, DKIM)이 맞지 않아 거부되었습니다. 도메인의 DNS 설정을 확인해 주세요.",
  },
  {
    fits: ({ enhanced, said }) =>
      enhanced === "5.4.5" || /(daily|hourly|sending)[^.]*(limit|quota)/i.test(said),
    about: "channel",
    advice:
      "메일 계정의 하루 발송 한도를 넘었습니다. 한도가 풀리면 다시 나갑니다. 자주 생기면 한도가 큰 메일 서비스를 써 주세요.",
  },
  {
    fits: ({ step, status = 0, enhanced, said }) =>
      enhanced === "5.7.60" || (status >= 500 && (step === "sender" || SENDER.test(said))),
    about: "channel",
    advice:
      "메일 서버가 보내는 주소를 거부했습니다. 보내는 주소는 로그인한 메일 계정의 주소여야 합니다. 보내는 주소 설정을 확인해 주세요.",
  },
  {
    fits: ({ step, said }) => step === "recipient" && /relay/i.test(said),
    about: "channel",
    advice: `메일 서버가 다른 곳으로 가는 메일을 맡아 주지 않습니다. ${ACCOUNT}`,
  },
  {
    fits: ({ step, status, enhanced = "" }) =>
      /^[45]\.2\.2$/.test(enhanced) || (step === "recipient" && status === 552),
    about: "recipient",
    advice: "받는 메일함이 가득 찼습니다. 메일함을 비워 주세요.",
  },
  { fits: ({ enhanced }) => enhanced === "5.3.4", about: "message", advice: TOO_LARGE },
];

/** A server that refuses for good, and says no more than that. */
const REFUSED: Readonly<Record<SmtpStep, Meaning>> = {
  connect: { about: "channel", advice: `메일 서버가 연결을 거부했습니다. ${ACCOUNT}` },
  tls: { about: "channel", advice: NO_TLS },
  login: { about: "channel", advice: `메일 서버가 로그인을 거부했습니다. ${ACCOUNT}` },
  sender: { about: "channel", advice: `메일 서버가 보내는 주소를 거부했습니다. ${ACCOUNT}` },
  recipient: {
    about: "recipient",
    advice: "메일 서버가 받는 주소를 거부했습니다. 받는 주소 설정을 확인해 주세요.",
  },
  data: { about: "channel", advice: `메일 서버가 메일을 받지 않습니다. ${ACCOUNT}` },
  message: {
    about: "message",
    advice:
      "메일 서버가 이 메일의 내용을 거부했습니다. 계속되면 메일 계정의 스팸 차단 설정을 확인해 주세요.",
  },
};

/** Faults of the network, by their names. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: `메일 서버가 연결을 받지 않습니다. ${ADDRESS}`,
  EHOSTUNREACH: `메일 서버에 연결되지 않습니다. ${ADDRESS}`,
  ENETUNREACH: `메일 서버에 연결되지 않습니다. ${ADDRESS}`,
  EDNS: `메일 서버의 이름을 찾지 못합니다. ${ADDRESS}`,
  ETLS: NO_TLS,
  EAUTH: `메일 서버에 로그인하지 못합니다. ${ACCOUNT}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  CERT_NOT_YET_VALID: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "메일 서버의 인증서가 다른 주소의 것입니다. 메일 서버의 주소 설정을 확인해 주세요.",
  CERT_HAS_EXPIRED: "메일 서버의 인증서가 만료되었습니다. 인증서를 갱신해 주세요.",
};

/** How a send ended for a recipient of whom the server said this. */
export function endOf(fault: SmtpFault): SendEnd {
  const { status, code, systemCode, enhanced, said, step, left } = fault;
  const what = [status, enhanced, systemCode ?? (status ? undefined : code)].filter(Boolean);
  const figures = `at ${step}: ${[...what, said].join(" ").trim() || "no answer"}`;
  const end = (error: string) => ({ error: `${error} ${figures}`, ...meaningOf(fault) });
  if (status === undefined && left) {
    return { outcome: "unknown", fault: end("the mail may have gone out,") };
  }
  return isFinal(fault)
    ? { outcome: "refused", fault: end("the mail server refuses") }
    : { outcome: "unsent", fault: end("the mail did not go out,") };
}

/** Without a status it is nodemailer that refuses: a password is missing, or the mail is larger than the server takes. */
function isFinal({ status, code, step }: SmtpFault): boolean {
  if (status !== undefined) return status >= 500;
  return code === "EAUTH" || isTooLarge({ code, step });
}

const isForNow = (status: number) => status >= 400 && status < 500;
const isTooLarge = ({ code, step }: Pick<SmtpFault, "code" | "step">) =>
  code === "EMESSAGE" && step === "sender";

function meaningOf(fault: SmtpFault): Meaning {
  const { step, status, code, systemCode, left } = fault;
  if (status === undefined) {
    if (isTooLarge(fault)) return { about: "message", advice: TOO_LARGE };
    const silence = left
      ? "메일을 넘긴 뒤 메일 서버가 받았다는 답을 하지 않습니다. 메일함을 확인해 주세요."
      : `메일 서버와의 연결이 끊어지거나 답이 없습니다. ${ADDRESS} 설정이 맞으면 ${NOTICES}`;
    return {
      about: "channel",
      advice: BY_CODE[systemCode ?? ""] ?? BY_CODE[code ?? ""] ?? silence,
    };
  }
  const known = REPLIES.find(({ fits }) => fits(fault)) ?? REFUSED[step];
  if (known !== REFUSED[step] || status >= 500) return withStatus(known, status);
  const advice = `메일 서버가 지금은 메일을 받지 않습니다. 계속되면 메일 계정의 용량과 상태를 확인해 주세요.`;
  return withStatus({ about: step === "recipient" ? "recipient" : "channel", advice }, status);
}

/** `… 거부했습니다. …` → `… 거부했습니다(550). …` */
function withStatus({ about, advice }: Meaning, status: number): Meaning {
  return { about, advice: advice.replace(".", `(${status}).`) };
}
