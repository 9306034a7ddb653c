/**
 * What a mail server's reply, or its absence, means for a delivery, and what the owner can do. The statuses are
 * those of RFC 5321 section 4.2.3 and RFC 4954 section 6 (logging in), the enhanced ones of RFC 3463 and what
 * Gmail and Microsoft make of them: https://support.google.com/a/answer/3726730
 */
import type { AttemptResult, Fault } from "#lib/channels/channel.ts";

const ADDRESS = "메일 서버의 주소와 포트 설정을 확인해 주세요.";
const ACCOUNT = "메일 계정의 아이디와 비밀번호 설정을 확인해 주세요.";
const NOTICES = "메일 서비스의 장애 공지를 확인해 주세요.";
const FOR_NOW =
  "메일 서버가 지금은 메일을 받지 않습니다. 계속되면 메일 계정의 용량과 상태를 확인해 주세요.";

/** What is told of a conversation (see `ConversationEnd`) → what to do, and whom it is about if not all mail. The first that fits counts. */
const MEANINGS: readonly [fits: RegExp, advice: string, about?: Fault["about"]][] = [
  [
    /^\w+: (534|\d+ 5\.7\.9\b)|^login: .*app\S* password/i,
    "메일 계정의 비밀번호 대신 앱 비밀번호가 필요합니다. 메일 계정의 보안 설정에서 앱 비밀번호를 만들어 넣어 주세요.",
  ],
  [
    /^\w+: \d+ 5\.7\.139\b|^login: 504/,
    "메일 서버가 비밀번호 로그인을 받지 않습니다. 메일 계정에서 SMTP 사용을 켜거나 다른 메일 서비스를 써 주세요.",
  ],
  [
    /^\w+: 421|^login: 4/,
    `메일 서버가 지금은 연결을 받지 않습니다. 잠시 뒤 다시 보냅니다. 계속되면 ${NOTICES}`,
  ],
  [
    /^\w+: 53[05]|^login: (5|EAUTH)|authentication (is )?required/i,
    `메일 서버가 로그인을 거부했습니다. ${ACCOUNT}`,
  ],
  [
    /^\w+: \d+ [45]\.7\.2[0-467]\b|\b(SPF|DKIM|DMARC)\b/,
    "보내는 주소의 도메인 인증(SPF, DKIM)이 맞지 않아 거부되었습니다. 도메인의 DNS 설정을 확인해 주세요.",
  ],
  [
    /^\w+: \d+ 5\.4\.5\b|(daily|hourly|sending)[^.]*(limit|quota)/i,
    "메일 계정의 하루 발송 한도를 넘었습니다. 한도가 풀리면 다시 나갑니다. 자주 생기면 한도가 큰 메일 서비스를 써 주세요.",
  ],
  [
    /^sender: EMESSAGE|^\w+: \d+ 5\.3\.4\b/,
    "메일이 메일 서버가 받는 크기보다 큽니다. 관리자에게 알려 주세요.",
    "message",
  ],
  [
    /^\w+: \d+ 5\.7\.60\b|^sender: 5|^\w+: 5.*(send ?as|from address|sender (address|is|not|rejected|denied)|unauthori[sz]ed sender)/i,
    "메일 서버가 보내는 주소를 거부했습니다. 보내는 주소는 로그인한 메일 계정의 주소여야 합니다. 보내는 주소 설정을 확인해 주세요.",
  ],
  [/^recipient: .*relay/i, `메일 서버가 다른 곳으로 가는 메일을 맡아 주지 않습니다. ${ACCOUNT}`],
  [
    /^\w+: \d+ [45]\.2\.2\b|^recipient: 552/,
    "받는 메일함이 가득 찼습니다. 메일함을 비워 주세요.",
    "recipient",
  ],
  [
    /^recipient: 5/,
    "메일 서버가 받는 주소를 거부했습니다. 받는 주소 설정을 확인해 주세요.",
    "recipient",
  ],
  [
    /^(message|finalDot): 5/,
    "메일 서버가 이 메일의 내용을 거부했습니다. 계속되면 메일 계정의 스팸 차단 설정을 확인해 주세요.",
    "message",
  ],
  [
    /^tls: |^\w+: \w*(CERT|SIGNATURE)/,
    "메일 서버와 안전하게 연결하지 못합니다. 메일 서버의 주소, 인증서, 암호화(STARTTLS)를 확인해 주세요.",
  ],
  [
    /^\w+: (ENOTFOUND|EAI_AGAIN|EDNS|ECONNREFUSED|E\w+UNREACH)/,
    `메일 서버를 찾지 못하거나 연결되지 않습니다. ${ADDRESS}`,
  ],
  [/^\w+: 5/, `메일 서버가 메일을 받지 않습니다. ${ACCOUNT}`],
  [/^recipient: 4/, FOR_NOW, "recipient"],
  [/^\w+: 4/, FOR_NOW],
  [
    /^finalDot: /,
    "메일을 넘긴 뒤 메일 서버가 받았다는 답을 하지 않습니다. 메일함을 확인해 주세요.",
  ],
  [/^/, `메일 서버와의 연결이 끊어지거나 답이 없습니다. ${ADDRESS} 설정이 맞으면 ${NOTICES}`],
];

/** How a send ended for a recipient of whom this was told. */
export function endOf(told: string): AttemptResult {
  const [, advice = "", about = "channel"] = MEANINGS.find(([fits]) => fits.test(told)) ?? [];
  const [, status] = /^\w+: (\d{3})\b/.exec(told) ?? [];
  const end = (error: string) => ({
    error: `${error} at ${told}`,
    about,
    // `… 거부했습니다. …` → `… 거부했습니다(550). …`
    advice: status ? advice.replace(".", `(${status}).`) : advice,
  });
  if (!status && told.startsWith("finalDot:")) {
    return { outcome: "unknown", fault: end("the mail may have gone out,") };
  }
  // Without a status it is nodemailer that refuses: a password is missing, or the mail is larger than the server takes.
  return /^\w+: (5\d\d|EAUTH|EMESSAGE)/.test(told)
    ? { outcome: "rejected", fault: end("the mail server refuses") }
    : { outcome: "not-sent", fault: end("the mail did not go out,") };
}
