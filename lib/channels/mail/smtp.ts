import { isIP } from "node:net";
import type { MailServer } from "#lib/addresses.ts";
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import type { Channel, ChannelDefinition } from "#lib/channels/channel.ts";
import { converse, type SmtpOptions } from "#lib/channels/mail/conversation.ts";
import { composeMailFields, encodeMail } from "#lib/channels/mail/message.ts";
import { classifySmtpFailure } from "#lib/channels/mail/replies.ts";
import type { MailConfig } from "#lib/config.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";

const { ok, warn, fault } = findingCreators("mail");

/** The limit is short, because a person waits for the doctor. */
const DIAGNOSIS_TIMEOUT_MS = 20 * SECOND;
const NO_LOGIN_ADVICE =
  "메일 서버에 연결되지만 서버가 로그인을 제공하지 않아, 아이디와 비밀번호를 보내지 않았습니다. 로그인 없이 메일을 받아 주는 서버가 아니라면 SMTP 설정의 주소와 포트를 확인해 주세요.";

export const mailDefinition: ChannelDefinition = {
  settingNames: "SMTP_HOST, MAIL_FROM, MAIL_TO",
  open: ({ mail: own, siteUrl }) => own && openMailChannel(own, siteUrl),
  diagnose: async ({ mail: own, siteUrl }) => own && diagnoseMail(own, siteUrl),
  deliveredWords: "메일 서버가 메일을 받았습니다.",
  whereKept: "메일함",
  whereToLook:
    "메일함에서 확인해 주세요. 보이지 않으면 스팸함과 프로모션 같은 자동 분류함을 열어 보시고, 보내는 주소를 연락처에 추가해 두시면 다음부터 걸러지지 않습니다.",
};

/**
 * Login and application leave this machine only over TLS with a valid certificate; a server on loopback needs no TLS.
 * EHLO names the host of the site, because some relays refuse a machine's own name.
 */
export function smtpOptions({ login, ...server }: MailServer, siteUrl: string): SmtpOptions {
  const { host, secure } = server;
  const { hostname } = new URL(siteUrl);
  const isLoopback = host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
  return {
    // RFC 5321 section 4.1.3: an IP address is in brackets, as an IPv6 address in a URL is already.
    name: isIP(hostname) === 4 ? `[${hostname}]` : hostname.replace("[", "[IPv6:"),
    ...server,
    // RFC 5321 section 4.5.3.2: a server may be silent for this long. A shorter limit could cause duplicate mails.
    connectionTimeout: 5 * MINUTE,
    greetingTimeout: 5 * MINUTE,
    socketTimeout: 10 * MINUTE,
    // Nodemailer reads the network interfaces only once, perhaps while the host has only loopback. Without this option
    // it would then use no IPv4 address until the process ends.
    allowInternalNetworkInterfaces: true,
    requireTLS: !secure && !isLoopback,
    ...(isLoopback ? { tls: { rejectUnauthorized: false } } : {}),
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
  };
}

export function openMailChannel(config: MailConfig, siteUrl: string): Channel {
  const options = smtpOptions(config.server, siteUrl);
  return {
    recipients: [...new Set(config.to)],
    slots: 4,
    // No limit, because each step of a conversation has its own.
    timeoutMs: Number.POSITIVE_INFINITY,
    segments: () => 0,
    isShortened: () => false,
    async transmit(message, recipient, transmitOptions) {
      const mail = composeMailFields(message, config);
      const outgoing = {
        from: config.from.address,
        to: recipient,
        content: await encodeMail(mail),
        words: mail.text,
      };
      const { isWithheld, failure } = await converse(options, outgoing, transmitOptions);
      if (failure !== undefined) return classifySmtpFailure(failure);
      return isWithheld
        ? { outcome: "not-sent" }
        : { outcome: "delivered", providerId: mail.messageId };
    },
  };
}

async function diagnoseMail({ server, from }: MailConfig, siteUrl: string): Promise<Finding[]> {
  const options = smtpOptions(server, siteUrl);
  const signal = AbortSignal.timeout(DIAGNOSIS_TIMEOUT_MS);
  const { failure, hasLoggedIn } = await converse(options, undefined, { signal });
  if (failure) return [fault(`${classifySmtpFailure(failure).fault?.advice} (SMTP 설정)`)];
  if (options.auth && !hasLoggedIn) return [warn(NO_LOGIN_ADVICE)];
  const how = hasLoggedIn ? "연결되고 로그인됩니다" : "로그인 없이 연결됩니다";
  return [ok(`메일 서버에 ${how}.`), ...senderFindings(from.address, options.auth?.user)];
}

function senderFindings(from: string, user = ""): Finding[] {
  if (!user.includes("@") || user.toLowerCase() === from.toLowerCase()) return [];
  const sentence = `보내는 주소(MAIL_FROM)가 ${from}인데 로그인은 ${user}입니다. 네이버, 다음, Gmail은 로그인한 주소로 보낸 메일만 받으니 같은 주소로 바꿔 주세요. 메일 서비스에 보내는 주소로 등록해 두셨다면 그대로 두셔도 됩니다.`;
  return [warn(sentence)];
}
