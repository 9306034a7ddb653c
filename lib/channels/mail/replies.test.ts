/** What a mail server says, as providers say it, and what the owner is told. */
import { describe, expect, test } from "vitest";
import { faultIn } from "#lib/channels/mail/fault.ts";
import { endOf } from "#lib/channels/mail/replies.ts";
import { OWNER, peer, peerWith, SECOND, send, sendAll } from "#testing/mail-to-peer.ts";
import type { SmtpMisbehaviour } from "#testing/peers/smtp-peer.ts";

describe("what the server says", () => {
  const toOwner = (reply: number | string) => ({ recipients: { [OWNER]: reply } });
  type Saying = [what: string, SmtpMisbehaviour, advice: string];
  const sayings: [outcome: string, about: string, Saying[]][] = [
    [
      "refused",
      "channel",
      [
        [
          "an app password is wanted",
          { login: "534-5.7.9 Application-specific password required.\n534 5.7.9 https://support" },
          "앱 비밀번호",
        ],
        ["an app password, by its code", { login: "535 5.7.9 no" }, "앱 비밀번호"],
        ["the password is wrong", { login: "535 5.7.8 Bad credentials" }, "아이디와 비밀번호"],
        ["passwords are not taken", { login: "504 5.5.4 Unrecognized" }, "비밀번호 로그인을 받지"],
        ["basic logins are off", { login: "535 5.7.139 Disabled" }, "비밀번호 로그인을 받지"],
        ["a login is wanted", { sender: "530 5.7.0 Authentication Required" }, "로그인"],
        ["no login at RCPT", toOwner("550 5.7.1 Authentication required"), "로그인"],
        ["no SPF or DKIM", { data: "550-5.7.26 unauthenticated\n550 5.7.26 sender" }, "SPF"],
        ["SPF fails", toOwner("550 5.7.23 SPF validation failed"), "SPF"],
        [
          "the day's mails are used up",
          { data: "550 5.4.5 Daily user sending limit" },
          "하루 발송 한도",
        ],
        ["not the account's address", { data: "554 5.2.252 SendAsDenied" }, "보내는 주소"],
        ["may not send as this", { data: "550 5.7.60 Client was not able" }, "보내는 주소"],
        ["a sender that may not send", { sender: 553 }, "보내는 주소"],
        [
          "no relay",
          toOwner("554 5.7.1 <owner@practice.example>: Relay access denied"),
          "맡아 주지",
        ],
      ],
    ],
    [
      "unsent",
      "channel",
      [
        ["too many logins", { login: "454 4.7.0 Too many login attempts" }, "잠시 뒤"],
        ["busy at the login", { login: "421 4.7.0 Try again later" }, "잠시 뒤"],
        ["closing at MAIL", { sender: "421 4.3.0 Try again later" }, "잠시 뒤"],
        ["closing at RCPT", toOwner("421 4.4.5 Server busy"), "잠시 뒤"],
        ["closing after the message", { data: "421 4.3.0 Try again later" }, "잠시 뒤"],
        ["a full system", { data: "452 4.3.1 Insufficient storage" }, "지금은 메일을 받지"],
      ],
    ],
    [
      "refused",
      "recipient",
      [
        ["an unknown recipient", toOwner("550 5.1.1 User unknown"), "받는 주소"],
        ["a full mailbox", toOwner("552 5.2.2 Over quota"), "메일함이 가득"],
      ],
    ],
    [
      "unsent",
      "recipient",
      [
        ["a full mailbox for now", toOwner("452 4.2.2 Over quota"), "메일함이 가득"],
        ["greylisting", toOwner("451 4.7.1 Greylisted"), "지금은 메일을 받지"],
      ],
    ],
    [
      "refused",
      "message",
      [
        ["too large", { data: "552 5.3.4 Too large" }, "크기"],
        ["blocked content", { data: "552 5.7.0 Blocked" }, "내용"],
        ["spam", { data: "550 5.7.1 Bulk Senders Guidelines" }, "내용"],
        ["not wanted", { data: 554 }, "내용"],
      ],
    ],
  ];
  describe.each(sayings)("is %s, about the %s", (outcome, about, said) => {
    test.each(said)("%s", async (_what, misbehaviour, advice) => {
      const login = "login" in misbehaviour;
      const server = login ? await peerWith({ login }) : peer;
      server.next(misbehaviour);
      const end = await send({ url: server.url });
      expect(end).toMatchObject({
        outcome,
        fault: { about, advice: expect.stringContaining(advice) },
      });
      expect(end.fault?.advice).toMatch(/주세요\.$/);
      // Setting names mean nothing to the owner.
      expect(end.fault?.advice).not.toMatch(/[A-Z]+_[A-Z]+/);
      expect(server.mails).toHaveLength(0);
      if (login) await server.stop();
    });
  });

  test("stands in the error, without addresses and what the mail says", async () => {
    peer.next({
      recipients: { [OWNER]: `550-5.1.1 <${OWNER}> unknown\n550 5.1.1 Kim 김샾 at 010-1234-5678` },
    });
    const { fault } = await send();
    expect(fault?.error).toBe(
      "the mail server refuses at recipient: 550 5.1.1 <…> unknown … … at …",
    );
  });

  test("of one of two addresses is that address's, and the other has its mail", async () => {
    const to = [OWNER, SECOND];
    peer.next({ recipients: { [SECOND]: 550 } }, { recipients: { [OWNER]: 451, [SECOND]: 550 } });
    expect(await sendAll({ to })).toMatchObject([
      { outcome: "delivered" },
      { outcome: "refused", fault: { about: "recipient" } },
    ]);
    expect(peer.mails[0]?.envelopeTo).toEqual([OWNER]);
    expect(await sendAll({ to })).toMatchObject([{ outcome: "unsent" }, { outcome: "refused" }]);
  });

  test("before it takes any mail: that ours is too large for it", async () => {
    const small = await peerWith({ maxBytes: 1_000 });
    expect(await send({ url: small.url })).toMatchObject({
      outcome: "refused",
      fault: { about: "message", advice: expect.stringContaining("크기") },
    });
    await small.stop();
  });
});

test.each([
  ["smtp://127.0.0.1:1", "ECONNREFUSED", "연결을 받지 않습니다"],
  ["smtp://nowhere.invalid", "ENOTFOUND", "이름을 찾지 못합니다"],
])("%s is tried again", async (url, code, advice) => {
  expect(await send({ url })).toMatchObject({
    outcome: "unsent",
    fault: { error: expect.stringContaining(code), advice: expect.stringContaining(advice) },
  });
});

/** As nodemailer and Node tell what came before anything was handed over. */
test.each([
  ["no way to the host", { code: "ESOCKET", originalCode: "EHOSTUNREACH" }],
  ["an upgrade to TLS that fails", { code: "ETLS", command: "CONN" }],
  ["an expired certificate", { code: "ESOCKET", originalCode: "CERT_HAS_EXPIRED" }],
  ["another's certificate", { code: "ESOCKET", originalCode: "ERR_TLS_CERT_ALTNAME_INVALID" }],
  ["an end of the connection at the EHLO", { code: "ECONNECTION", command: "EHLO" }],
  ["a reset", { code: "ESOCKET", originalCode: "ECONNRESET", command: "CONN" }],
])("%s is tried again, and not in doubt", (_what, error) => {
  expect(endOf(faultIn(error, { step: "connect", left: false, sent: "" }))).toMatchObject({
    outcome: "unsent",
    fault: { about: "channel", advice: expect.stringMatching(/주세요\.$/) },
  });
});
