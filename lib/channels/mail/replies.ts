/**
 * Statuses: RFC 5321 section 4.2.3, RFC 4954 section 6 (login). Enhanced statuses: RFC 3463, and the documents of Gmail
 * (https://support.google.com/a/answer/3726730), Microsoft and Amazon.
 */
import type { AttemptResult, Fault } from "#lib/storage/queries/outcomes.ts";

const ADDRESS = "메일 서버의 주소와 포트 설정을 확인해 주세요.";
const ACCOUNT = "메일 계정의 아이디와 비밀번호 설정을 확인해 주세요.";
const NOTICES = "메일 서비스의 장애 공지를 확인해 주세요.";
const ENCRYPTION =
  "메일 서버와 안전하게 연결하지 못합니다. 메일 서버의 주소와 포트, 인증서, 암호화 방식(TLS, STARTTLS)을 확인해 주세요.";
const UNKNOWN_RECIPIENT = "메일 서버가 받는 주소를 거부했습니다. 받는 주소 설정을 확인해 주세요.";
const CONTENT =
  "메일 서버가 이 메일의 내용을 거부했습니다. 계속되면 메일 계정의 스팸 차단 설정을 확인해 주세요.";
const FOR_NOW =
  "메일 서버가 지금은 메일을 받지 않습니다. 계속되면 메일 계정의 용량과 상태를 확인해 주세요.";

/** The first pattern that fits a `ConversationResult.failure` counts. `about` is the channel by default. */
const MEANINGS: readonly [fits: RegExp, advice: string, about?: Fault["about"]][] = [
  [
    /^login: (?!.*web browser)(534|\d+ 5\.7\.9\b|.*app\S* password)/i,
    "메일 계정의 비밀번호 대신 앱 비밀번호가 필요합니다. 메일 계정의 보안 설정에서 앱 비밀번호를 만들어 넣어 주세요.",
  ],
  [
    /^\w+: \d+ 5\.7\.139\b(?!.*\bincorrect\b)|^login: (504|\d+ 5\.7\.30\b)/,
    "메일 서버가 비밀번호 로그인을 받지 않습니다. 메일 계정에서 SMTP 사용을 켜거나 다른 메일 서비스를 써 주세요.",
  ],
  [/^\w+: (523|538|\d+ 5\.7\.1[01]\b)|^\w+: 5.*\b(STARTTLS|encryption required)\b/i, ENCRYPTION],
  [
    /^recipient: \d+ [45]\.5\.3\b/,
    "메일 서버가 한 번에 받는 주소의 수를 넘었습니다. 나머지 주소에는 따로 다시 보냅니다. 계속되면 받는 주소를 줄여 주세요.",
    "message",
  ],
  [
    /^recipient: 552(?!.*\b(relay|suspended))|^\w+: \d+ [45]\.2\.2\b|^\w+: [45].*\b(mail|in)box\b[^.]*\b(full|quota|storage)\b/i,
    "받는 메일함이 가득 찼습니다. 메일함을 비워 주세요.",
    "recipient",
  ],
  [
    /^recipient: (5\d\d 5\.2\.[0-4]|450 4\.1\.1)\b|^(recipient|message|finalDot): 5\d\d 5\.1\.[1-6]\b(?!.*\brelay)|^\w+: 5.*\brecipient\b.*\binactive\b/i,
    UNKNOWN_RECIPIENT,
    "recipient",
  ],
  [
    /^sender: EMESSAGE|^\w+: 55[24] 5\.3\.4\b|^\w+: 5.*\bsize\b/i,
    "메일이 메일 서버가 받는 크기보다 큽니다. 관리자에게 알려 주세요.",
    "message",
  ],
  [
    /^(message|finalDot): 5(?!.*(\bIP\b|5\.7\.50\d)).*\b(content|spam|unsolicited|bulk|virus|malware|phishing)\b/i,
    CONTENT,
    "message",
  ],
  [
    /^\w+: \d+ 5\.4\.5\b|\b(daily|hourly|sending|messages?|messaging|e-?mails?|credits|ratelimit)\b[^.]*\b(limits?|quota|exceeded)\b|(exceeded|too many|only \d+)\b[^.]*\b(e-?mails|messages|messaging|per hour)\b/i,
    "메일 계정의 발송 한도를 넘었습니다. 한도가 풀리면 다시 보냅니다. 자주 생기면 한도가 큰 메일 서비스를 써 주세요.",
  ],
  [
    /^\w+: \d+ [45]\.7\.(2[0-467]|509|515)\b|\b(SPF|DKIM|DMARC)\b(?! domain)/,
    "보내는 주소의 도메인 인증(SPF, DKIM)이 맞지 않아 거부되었습니다. 도메인의 DNS 설정을 확인해 주세요.",
  ],
  [
    /^\w+: (525(?!.*\bIP\b)|\d+ 5\.7\.(13|50[1-3](?!.*\bIP\b)|7(?!08)\d\d))\b|^\w+: [45].*\b(sandbox|web browser|test purposes|testing emails|demo domains|outgoing (blocked|mail suspension)|not (yet )?(been )?(verified|activated)|unverified|suspended|paused|terminated|disabled by user|pending approval|unusual (sending )?activity|OutboundSpam\w*|bad outbound sender|not (allowed|authorized) to (send|perform)\b(?!.* (as|directly)\b)|account\S* (\w+ )?(disabled|locked|blocked|restricted))\b/i,
    "메일 계정이 지금은 메일을 보낼 수 없는 상태입니다(시험 모드, 정지, 확인되지 않은 주소). 메일 서비스에서 계정과 보내는 주소의 상태를 확인해 주세요.",
  ],
  [
    /^\w+: 421(?!.*\bIP\b.*\b(blocked|filtered|whitelist)\b)|^login: 4/i,
    `메일 서버가 지금은 연결을 받지 않습니다. 잠시 뒤 다시 보냅니다. 계속되면 ${NOTICES}`,
  ],
  [
    /^\w+: 53[05](?!.*\b(IP|from( address|\/sender))\b)|^login: (5(?!.*\bIP\b)|EAUTH)|auth(entication)? (is )?required|turn on SMTP auth|(authenticate|AUTH command) first|unauthenticated senders|not logged in/i,
    `메일 서버가 로그인을 거부했습니다. ${ACCOUNT} 네이버, 다음, Gmail이라면 앱 비밀번호를 넣고, 메일 설정에서 SMTP 사용을 켜 주세요.`,
  ],
  [
    // The server refused before the login, when it knew only our name and our IP address.
    /^connect: 5|^\w+: \d+ 5\.7\.(25|50\d|6\d\d|708)\b|^\w+: [45].*\b(HELO|EHLO|host ?name(?!=)|host|(?<!=)IP(?!=)( address)?|PTR|reverse DNS|DNSBL|RBL|block ?list(ed)?|black ?list(ed)?|spamhaus|reputation)\b/i,
    "메일 서버가 이 서버의 이름이나 IP에서 오는 메일을 막고 있습니다. 메일 서비스의 허용 IP 설정을 확인하고, 없으면 문의하거나 다른 메일 서비스를 써 주세요.",
  ],
  [
    /^\w+: \d+ ([45]\.1\.[78]|5\.7\.60)\b|^sender: 5|^\w+: 5.*\b(send ?as\w*|from (this )?(address|header)|sender('s)?|unauthori[sz]ed sender|relaying disallowed)\b/i,
    "메일 서버가 보내는 주소를 거부했습니다. 보내는 주소는 로그인한 메일 계정의 주소여야 합니다. 보내는 주소 설정을 확인해 주세요.",
  ],
  [
    /^recipient: .*(relay|rcpthosts)/i,
    `메일 서버가 다른 곳으로 가는 메일을 맡아 주지 않습니다. ${ACCOUNT}`,
  ],
  [
    /^\w+: 5.*\bpolic(y|ies)\b/i,
    "메일 서버가 자체 정책으로 메일을 막고 있습니다. 메일 계정의 상태를 확인하고, 계속되면 메일 서비스에 문의해 주세요.",
  ],
  [/^recipient: 5/, UNKNOWN_RECIPIENT, "recipient"],
  [/^(message|finalDot): 5/, CONTENT, "message"],
  [/^tls: |^\w+: (\w*(CERT|SIGNATURE|SSL|TLS)|EPROTO$|UNSPECIFIED|INVALID_)/, ENCRYPTION],
  [
    /^\w+: (ENOTFOUND|EAI_AGAIN|EDNS|ECONNREFUSED|E\w+UNREACH)|^connect: (ETIMED?OUT|cut off)/,
    `메일 서버를 찾지 못하거나 연결되지 않습니다. ${ADDRESS} 설정이 맞으면 서버 업체가 메일 포트(465, 587)를 막지 않았는지, 메일 서비스에 장애가 없는지 확인해 주세요.`,
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

export function classifySmtpFailure(failure: string): AttemptResult {
  const [, advice = "", about = "channel"] = MEANINGS.find(([fits]) => fits.test(failure)) ?? [];
  const [, status] = /^\w+: ([45]\d\d)\b/.exec(failure) ?? [];
  const fault = (error: string) => ({
    error: `${error} at ${failure}`,
    about,
    // `… 거부했습니다. …` → `… 거부했습니다(550). …`
    advice: status ? advice.replace(".", `(${status}).`) : advice,
  });
  if (!status && failure.startsWith("finalDot:"))
    return { outcome: "unknown", fault: fault("the mail may have gone out,") };
  // Nodemailer gives EAUTH for a login without a password, and EMESSAGE for a mail above the server's size limit.
  return /^\w+: (5\d\d|EAUTH|EMESSAGE)/.test(failure)
    ? { outcome: "rejected", fault: fault("the mail server refuses") }
    : { outcome: "not-sent", fault: fault("the mail did not go out,") };
}
