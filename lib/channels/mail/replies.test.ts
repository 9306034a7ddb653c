import { expect } from "vitest";
import { classifySmtpFailure } from "#lib/channels/mail/replies.ts";
import { SMS_MAX_CHARACTERS } from "#lib/channels/sms/segments.ts";
import { OWNER_MAIL, startPeer, test } from "#testing/peers/mail-to-peer.ts";
import type { SmtpMisbehaviour } from "#testing/peers/smtp-peer.ts";

const OTHER = "second@practice.example";
const rcptReply = (reply: number | string) => ({ recipients: { [OWNER_MAIL]: reply } });
type Reply = [misbehaviour: SmtpMisbehaviour, outcome: string, about: string, advice: string];
const replies: Reply[] = [
  [{ login: "534 5.7.9 Log in with your web browser" }, "rejected", "channel", "비밀번호가 필요"],
  [{ login: "535 5.7.9 no" }, "rejected", "channel", "비밀번호가 필요"],
  [{ login: "535 5.7.1 not accepted - nsmtp" }, "rejected", "channel", "로그인을 거부"],
  [{ login: "535 5.7.30 Basic auth" }, "rejected", "channel", "로그인을 거부"],
  [{ sender: "530 5.7.0 Must issue a STARTTLS command first" }, "rejected", "channel", "TLS"],
  [{ data: "550 5.7.1 Sandbox subdomains are for test" }, "rejected", "channel", "막고"],
  [{ data: "554 Email address is not verified" }, "rejected", "channel", "막고"],
  [rcptReply("550 5.7.1 Sending paused for this account"), "rejected", "channel", "막고"],
  [rcptReply("554 5.7.1 Client host rejected: blocked"), "rejected", "channel", "막고"],
  [rcptReply("504 5.5.2 Helo command rejected"), "rejected", "channel", "이유는 알 수 없"],
  [rcptReply("550 5.7.1 Sender address rejected"), "rejected", "channel", "보내는 주소"],
  [{ data: "554 5.7.9 Message not accepted for policy reasons" }, "rejected", "channel", "막고"],
  [{ data: "554 Due to policy restrictions. x/e?c=hi&i=ip&v=1" }, "rejected", "channel", "막고"],
  [rcptReply("550 5.2.1 The account is disabled"), "rejected", "recipient", "쓸 수 없는"],
  [{ login: "454 4.7.0 Too many login attempts" }, "not-sent", "channel", "잠시 뒤"],
  [rcptReply("421 4.4.5 Server busy"), "not-sent", "channel", "잠시 뒤"],
  [rcptReply("550 5.7.1 Authentication required"), "rejected", "channel", "로그인을 거부"],
  [{ data: "550-5.7.26 unauthenticated\n550 5.7.26 sender" }, "rejected", "channel", "SPF"],
  [{ data: "550 5.7.30 DKIM did not pass" }, "rejected", "channel", "SPF"],
  [{ data: "421 4.7.26 rate limited: SPF did not pass" }, "not-sent", "channel", "SPF"],
  [{ data: "554 5.2.252 SendAsDenied" }, "rejected", "channel", "보내는 주소"],
  [{ data: "550 5.7.60 Client was not able" }, "rejected", "channel", "보내는 주소"],
  [rcptReply("450 4.1.1 unverified address: unknown user"), "not-sent", "recipient", "잠시 뒤"],
  [rcptReply("552 5.2.2 Over quota"), "rejected", "recipient", "가득"],
  [rcptReply("452 4.2.2 Over quota"), "not-sent", "recipient", "가득"],
  [rcptReply("552 5.5.3 Maximum of 1 recipients"), "rejected", "message", "크기"],
  [rcptReply("452 4.5.3 Too many recipients"), "not-sent", "message", "크기"],
  [rcptReply("451 4.7.1 Greylisted"), "not-sent", "recipient", "잠시 뒤"],
  [{ sender: "552 5.3.4 Too large" }, "rejected", "message", "크기"],
  [{ data: "552 5.7.0 Blocked" }, "rejected", "message", "내용"],
  [{ sender: "552 5.2.3 Your message exceeded the message size" }, "rejected", "message", "크기"],
  [{ data: "550 5.3.4 unusual activity in your account" }, "rejected", "channel", "막고"],
  [{ data: "554 5.2.0 x:OutboundSpamException; x" }, "rejected", "channel", "막고"],
  [{ data: "450 You can only send testing emails" }, "not-sent", "channel", "잠시 뒤"],
  [{ data: "554 User x is not authorized to perform ses:Send" }, "rejected", "channel", "막고"],
  [{ data: "550 5.7.515 the required authentication level" }, "rejected", "channel", "SPF"],
  [{ login: "525 5.7.1 Unauthorized IP address" }, "rejected", "channel", "로그인을 거부"],
  [{ sender: "452 4.4.5 Messages per second limit" }, "not-sent", "channel", "잠시 뒤"],
  [{ sender: "502 5.7.0 Please authenticate first" }, "rejected", "channel", "로그인을 거부"],
  [rcptReply("450 4.1.8 Sender address: Domain not found"), "not-sent", "channel", "보내는 주소"],
  [rcptReply("550 mailbox is full, quota exceeded"), "rejected", "recipient", "가득"],
  [{ data: "550 5.1.1 does not exist" }, "rejected", "recipient", "쓸 수 없는"],
  [{ data: "550 5.7.1 recipient is marked as inactive" }, "rejected", "recipient", "쓸 수 없는"],
  [{ data: "550 5.7.501 Spam abuse detected" }, "rejected", "channel", "막고"],
  [{ data: "554 5.1.8 Email Outgoing Blocked" }, "rejected", "channel", "보내는 주소"],
  [{ data: "550 Demo domains can only be used" }, "rejected", "channel", "막고"],
  [{ data: "421 4.7.28 unusual rate from your SPF domain" }, "not-sent", "channel", "잠시 뒤"],
  [{ data: "551 Not authorised to send from this header" }, "rejected", "channel", "보내는 주소"],
  [rcptReply("553 isn't in my list of allowed rcpthosts"), "rejected", "channel", "막고"],
  [rcptReply("550 5.1.1 Relay denied"), "rejected", "channel", "막고"],
  [rcptReply("550 exceeded the max failures per hour"), "rejected", "channel", "막고"],
  [{ sender: "530 5.5.2 Invalid from address" }, "rejected", "channel", "보내는 주소"],
  [rcptReply("550 x has an outgoing mail suspension"), "rejected", "channel", "막고"],
  [{ sender: "503 5.5.4 send AUTH command first" }, "rejected", "channel", "로그인을 거부"],
  [rcptReply("550 SMTP AUTH is required on port 587"), "rejected", "channel", "로그인을 거부"],
  [rcptReply("553 Sender address rejected: not logged in"), "rejected", "channel", "로그인을 거부"],
  [rcptReply("552 Your account has been suspended"), "rejected", "channel", "막고"],
  // These replies name no clear cause, so their words are quoted, and no cause is invented.
  [rcptReply("550 Account disabled"), "rejected", "recipient", "이유는 알 수 없"],
  [{ data: "554 Transaction failed" }, "rejected", "message", "이유는 알 수 없"],
  [rcptReply("550-no\n550 SPAM_SUSPECT:IP_CONTROL"), "rejected", "channel", "막고"],
  [rcptReply("550 spam suspected"), "rejected", "channel", "막고"],
  [{ data: "550 5.7.1 likely unsolicited mail" }, "rejected", "message", "내용"],
  [{ sender: "530 5.7.0 Access denied" }, "rejected", "channel", "로그인"],
  [{ sender: "550 SPF check failed" }, "rejected", "channel", "SPF"],
];

test.for(replies)(
  "the SMTP reply %j has the outcome %s, a fault of the %s: %s [18][80]",
  async ([misbehaviour, outcome, about, words], { send }) => {
    await using server = misbehaviour.login
      ? await startPeer({ needsLogin: true })
      : await startPeer();
    server.next(misbehaviour);
    const advice = expect.stringMatching(RegExp(`${words}.*주세요\\. \\(\\d{3} .+\\)$`));
    const answer = await send({ server: server.mailServer() });
    expect(answer).toMatchObject({ outcome, fault: { about, advice } });
    // The owner does not know names of settings.
    expect(answer.fault?.advice).not.toMatch(/[A-Z]+_[A-Z]+.*주세요/);
    // An alarm adds two sentences, and has to fit into one text message.
    expect(answer.fault?.advice.length).toBeLessThanOrEqual(SMS_MAX_CHARACTERS - 60);
    expect(server.mails).toHaveLength(0);
  },
);

test("the error of a mail quotes the server's reply without personal data", async ({
  smtp,
  send,
}) => {
  const reply = `550-5.1.1 <${OWNER_MAIL}> unknown\n550 5.1.1 Kim 김샾 at 010-1234-5678`;
  smtp.next(rcptReply(reply));
  const { fault } = await send();
  expect(fault?.error).toBe("the mail server refuses at recipient: 550 5.1.1 <…> unknown … … at …");
  // Cleaning 200,000 characters would take minutes.
  smtp.next(rcptReply(`550 ${"a".repeat(200_000)}`));
  const long = (await send()).fault;
  expect(long?.error).toMatch(/: 550 a{199}…$/);
  expect(long?.advice).toMatch(/주세요\. \(550 a{76}\)$/);
});

test("a refused address does not stop the mail to another address [19]", async ({ smtp, send }) => {
  smtp.always({ recipients: { [OTHER]: 550 } });
  expect(await send({ to: OTHER })).toMatchObject({
    outcome: "rejected",
    fault: { about: "recipient" },
  });
  expect(await send()).toMatchObject({ outcome: "delivered" });
  expect(smtp.mails[0]?.envelopeTo).toEqual([OWNER_MAIL]);
});

test.for<[string, string, string]>([
  ["550 5.1.1 no", "rejected", "받는 주소"],
  ["452 4.2.2 full", "not-sent", "메일함이 가득"],
])(
  "a mail whose recipient is refused with %s is not transmitted",
  async ([reply, outcome, words], { send }) => {
    await using server = await startPeer({ asksWithoutRecipients: true });
    server.next({ recipients: { [OWNER_MAIL]: reply } });
    const fault = { about: "recipient", advice: expect.stringContaining(words) };
    expect(await send({ server: server.mailServer() })).toMatchObject({ outcome, fault });
    expect(server.mails).toEqual([]);
  },
);

test("a mail above the server's size limit is rejected", async ({ send }) => {
  await using small = await startPeer({ maxBytes: 1_000 });
  expect(await send({ server: small.mailServer() })).toMatchObject({
    outcome: "rejected",
    fault: { about: "message", advice: expect.stringContaining("크기") },
  });
});

test.each([
  ["connect", "ECONNREFUSED", "not-sent", "연결되지"],
  ["connect", "ENOTFOUND", "not-sent", "찾지 못하거나"],
  ["connect", "ETIMEDOUT", "not-sent", "서버 업체가"],
  ["connect", "cut off", "not-sent", "서버 업체가"],
  ["connect", "ECONNRESET", "not-sent", "연결되지"],
  ["connect", "EPROTOCOL", "not-sent", "주소와 포트"],
  ["connect", "CERT_HAS_EXPIRED", "not-sent", "인증서"],
  ["connect", "EPROTO", "not-sent", "TLS"],
  ["connect", "ERR_SSL_UNSUPPORTED_PROTOCOL", "not-sent", "TLS"],
  ["connect", "ERR_TLS_CERT_ALTNAME_INVALID", "not-sent", "인증서"],
  ["connect", "UNSPECIFIED", "not-sent", "인증서"],
  ["connect", "INVALID_PURPOSE", "not-sent", "인증서"],
  ["connect", "421 4.3.2 Your IP(…) is filtered", "not-sent", "잠시 뒤"],
  ["connect", "554 No SMTP service here", "rejected", "막고"],
  ["tls", "ETLS", "not-sent", "STARTTLS"],
  ["tls", "454 no secure connections today", "not-sent", "STARTTLS"],
  ["login", "ETIMEDOUT", "not-sent", "끊어지거나"],
  ["login", "EAUTH", "rejected", "로그인을 거부"],
  ["envelope", "ECONNECTION", "not-sent", "끊어지거나"],
  ["message", "cut off", "not-sent", "끊어지거나"],
  ["finalDot", "cut off", "unknown", "메일함을 확인"],
  ["finalDot", "250 2.0.0 Ok", "unknown", "메일함을 확인"],
] as const)(
  "the failure $1 at the SMTP step $0 gives the outcome $2 [22]",
  (step, said, outcome, words) => {
    const [, status, text = said] = /^(\d{3}) (.*)/.exec(said) ?? [];
    const failure = { step, status: status ? Number(status) : undefined, enhanced: undefined };
    expect(classifySmtpFailure({ ...failure, words: text })).toEqual({
      outcome,
      fault: {
        about: "channel",
        error: expect.stringContaining(`at ${step}: ${said}`),
        advice: expect.stringMatching(RegExp(`${words}.*주세요\\. \\(.+\\)$`)),
      },
    });
  },
);
