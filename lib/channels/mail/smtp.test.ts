/** Mail against a real mail server that answers as providers do. */
import { describe, expect, test, vi } from "vitest";
import { SMTP_LIMITS } from "#lib/channels/mail/conversation.ts";
import { faultIn } from "#lib/channels/mail/fault.ts";
import { endOf } from "#lib/channels/mail/replies.ts";
import { openMail, smtpOptions } from "#lib/channels/mail/smtp.ts";
import { OWNER, peer, peerWith, SECOND, send, sendAll } from "#testing/mail-to-peer.ts";
import { SMTP_LOGIN, type SmtpMisbehaviour } from "#testing/peers/smtp-peer.ts";

const NEVER = new Promise(() => undefined);
const SITE = "https://practice.example";

test("the owner gets the mail once, over a connection that is closed afterwards", async () => {
  const end = await send();
  expect(peer.mails).toHaveLength(1);
  const [mail] = peer.mails;
  expect(mail?.envelopeTo).toEqual([OWNER]);
  expect(mail?.envelopeFrom).toBe("site@practice.example");
  expect(mail?.parsed.text).toContain("전화번호: 010-1234-5678");
  expect(mail?.parsed.html).toContain("tel:+821012345678");
  expect(mail?.parsed.replyTo).toBeUndefined();
  expect(end).toEqual({ outcome: "delivered", providerId: mail?.parsed.messageId });
  await expect.poll(() => peer.open).toBe(0);
});

test.each([
  [SITE, "practice.example"],
  ["http://203.0.113.7:3000", "[203.0.113.7]"],
  ["http://[2001:db8::1]", "[ipv6:2001:db8::1]"],
])("the site at %s names itself %s at EHLO", async (siteUrl, name) => {
  const carrier = openMail({ smtpUrl: peer.url, from: "a@b.kr", to: [OWNER] }, siteUrl);
  const { signal } = new AbortController();
  await carrier.send({ kind: "test", text: "시험" }, [OWNER], { signal });
  expect(peer.names).toEqual([name]);
});

test("an address that is named twice is one recipient", () => {
  const config = { smtpUrl: peer.url, from: "a@b.kr", to: [OWNER, SECOND, OWNER] };
  expect(openMail(config, SITE).recipients).toEqual([OWNER, SECOND]);
});

test("a repeat after a connection that broke has the same Message-ID", async () => {
  peer.next({ dropsAfterData: true });
  expect(await send()).toMatchObject({ outcome: "unknown", fault: { about: "channel" } });
  expect(await send()).toMatchObject({ outcome: "delivered" });
  const [first, second] = peer.mails;
  expect(first?.parsed.messageId).toBe("<7K3MPQ9X.mail@practice.example>");
  expect(second?.parsed.messageId).toBe(first?.parsed.messageId);
});

describe("what the server says", () => {
  const toOwner = (reply: number | string) => ({ recipients: { [OWNER]: reply } });
  test.each<[string, SmtpMisbehaviour, outcome: string, about: string, advice: string]>([
    [
      "an app password is wanted",
      { login: "534-5.7.9 Application-specific password required.\n534 5.7.9 https://support" },
      "refused",
      "channel",
      "앱 비밀번호",
    ],
    [
      "the password is wrong",
      { login: "535 5.7.8 Bad credentials" },
      "refused",
      "channel",
      "아이디와 비밀번호",
    ],
    [
      "passwords are not taken",
      { login: "504 5.5.4 Unrecognized" },
      "refused",
      "channel",
      "비밀번호 로그인을 받지",
    ],
    [
      "basic logins are off",
      { login: "535 5.7.139 Disabled" },
      "refused",
      "channel",
      "비밀번호 로그인을 받지",
    ],
    [
      "too many logins",
      { login: "454 4.7.0 Too many login attempts" },
      "unsent",
      "channel",
      "잠시 뒤",
    ],
    ["busy at the login", { login: "421 4.7.0 Try again later" }, "unsent", "channel", "잠시 뒤"],
    ["closing at MAIL", { sender: "421 4.3.0 Try again later" }, "unsent", "channel", "잠시 뒤"],
    ["closing at RCPT", toOwner("421 4.4.5 Server busy"), "unsent", "channel", "잠시 뒤"],
    [
      "closing after the message",
      { data: "421 4.3.0 Try again later" },
      "unsent",
      "channel",
      "잠시 뒤",
    ],
    [
      "a login is wanted",
      { sender: "530 5.7.0 Authentication Required" },
      "refused",
      "channel",
      "로그인",
    ],
    [
      "no login at RCPT",
      toOwner("550 5.7.1 Authentication required"),
      "refused",
      "channel",
      "로그인",
    ],
    [
      "no SPF or DKIM",
      { data: "550-5.7.26 unauthenticated\n550 5.7.26 sender" },
      "refused",
      "channel",
      "SPF",
    ],
    ["SPF fails", toOwner("550 5.7.23 SPF validation failed"), "refused", "channel", "SPF"],
    [
      "the day's mails are used up",
      { data: "550 5.4.5 Daily user sending limit" },
      "refused",
      "channel",
      "하루 발송 한도",
    ],
    [
      "not the account's address",
      { data: "554 5.2.252 SendAsDenied" },
      "refused",
      "channel",
      "보내는 주소",
    ],
    [
      "may not send as this",
      { data: "550 5.7.60 Client was not able" },
      "refused",
      "channel",
      "보내는 주소",
    ],
    ["a sender that may not send", { sender: 553 }, "refused", "channel", "보내는 주소"],
    [
      "no relay",
      toOwner("554 5.7.1 <owner@practice.example>: Relay access denied"),
      "refused",
      "channel",
      "맡아 주지",
    ],
    [
      "an unknown recipient",
      toOwner("550 5.1.1 User unknown"),
      "refused",
      "recipient",
      "받는 주소",
    ],
    ["a full mailbox", toOwner("552 5.2.2 Over quota"), "refused", "recipient", "메일함이 가득"],
    [
      "a full mailbox for now",
      toOwner("452 4.2.2 Over quota"),
      "unsent",
      "recipient",
      "메일함이 가득",
    ],
    ["greylisting", toOwner("451 4.7.1 Greylisted"), "unsent", "recipient", "지금은 메일을 받지"],
    [
      "a full system",
      { data: "452 4.3.1 Insufficient storage" },
      "unsent",
      "channel",
      "지금은 메일을 받지",
    ],
    ["too large", { data: "552 5.3.4 Too large" }, "refused", "message", "크기"],
    ["blocked content", { data: "552 5.7.0 Blocked" }, "refused", "message", "내용"],
    ["spam", { data: "550 5.7.1 Bulk Senders Guidelines" }, "refused", "message", "내용"],
    ["not wanted", { data: 554 }, "refused", "message", "내용"],
  ])("%s", async (_what, misbehaviour, outcome, about, advice) => {
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

describe("a server that takes its time", () => {
  test("is waited for as long as RFC 5321 asks for", () => {
    const minute = 60_000;
    expect(SMTP_LIMITS).toEqual({
      opening: 5 * minute,
      envelope: 5 * minute,
      data: 2 * minute,
      block: 3 * minute,
      finalDot: 10 * minute,
    });
  });

  test("that needs nearly all of it at each step has its mail taken once", async () => {
    const patient = await peerWith({ pipelining: false });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { envelope, data, finalDot } = SMTP_LIMITS;
    const steps = { sender: envelope, recipient: envelope, data, finalDot };
    const answers = new Map(Object.keys(steps).map((step) => [step, Promise.withResolvers()]));
    const slow = [...answers].map(([step, { promise }]) => [step, promise]);
    patient.next({ slow: Object.fromEntries(slow) });
    const sent = send({ url: patient.url });
    for (const [step, limit] of Object.entries(steps)) {
      await expect.poll(() => patient.steps).toContain(step);
      await vi.advanceTimersByTimeAsync(limit - 1_000);
      answers.get(step)?.resolve(undefined);
    }
    expect(await sent).toMatchObject({ outcome: "delivered" });
    expect(patient.mails).toHaveLength(1);
    vi.useRealTimers();
    await patient.stop();
  });

  test.each([
    ["sender", { sender: NEVER }, { envelope: 100 }, "unsent"],
    ["recipient", { recipient: NEVER }, { envelope: 100 }, "unsent"],
    ["data", { data: NEVER }, { data: 100 }, "unsent"],
    ["message", { finalDot: NEVER }, { finalDot: 100 }, "unknown"],
  ])("too long at %s is left after its limit", async (step, slow, limits, outcome) => {
    peer.next({ slow });
    const end = await send({ limits });
    expect(end.outcome).toBe(outcome);
    expect(end.fault?.error).toContain(`at ${step}: ETIMEDOUT`);
  });

  test("that never greets is left, and nothing has gone out", async () => {
    const silent = await peerWith({ greeting: NEVER });
    expect(await send({ url: silent.url, limits: { opening: 100 } })).toMatchObject({
      outcome: "unsent",
      fault: { error: expect.stringContaining("at connect: ETIMEDOUT") },
    });
    await silent.stop();
  });

  test("a carrier's try is as long as all of its steps together", () => {
    const carrier = openMail({ smtpUrl: peer.url, from: "a@b.kr", to: [OWNER] }, SITE);
    expect(carrier.tryLimitMs).toBe(35 * 60_000);
  });
});

describe("right before the message leaves", () => {
  test("it is asked whether it may, and not for a server that does not want it", async () => {
    let asked = 0;
    const mayLeave = async () => {
      expect(peer.mails).toHaveLength(0);
      asked += 1;
      return false;
    };
    peer.next({ recipients: { [OWNER]: 550 } });
    expect(await send({ mayLeave })).toMatchObject({ outcome: "refused" });
    expect(asked).toBe(0);
    expect(await send({ mayLeave })).toEqual({ outcome: "unsent" });
    expect(asked).toBe(1);
    await expect.poll(() => peer.open).toBe(0);
    expect(peer.mails).toHaveLength(0);
  });

  test("an abort is no delivery, whenever it comes", async () => {
    expect(await send({ signal: AbortSignal.abort() })).toMatchObject({ outcome: "unsent" });
    peer.next({ slow: { sender: NEVER } });
    const cut = new AbortController();
    const sent = send({ signal: cut.signal });
    await expect.poll(() => peer.attempts).toBe(1);
    cut.abort();
    expect(await sent).toMatchObject({
      outcome: "unsent",
      fault: { error: expect.stringContaining("at sender") },
    });
    expect(peer.mails).toHaveLength(0);
  });
});

describe("the login", () => {
  test("is used where SMTP_URL has one, and never travels in clear text off this machine", async () => {
    const login = await peerWith({ login: true });
    expect(await send({ url: login.url })).toMatchObject({ outcome: "delivered" });
    expect(login.logins).toEqual([SMTP_LOGIN.password]);
    // 0.0.0.0 leads to this machine without being a loopback address.
    const url = login.url.replace("127.0.0.1", "0.0.0.0");
    expect(await send({ url })).toMatchObject({ outcome: "refused" });
    expect(login.logins).toHaveLength(1);
    expect(login.attempts).toBe(1);
    await login.stop();
  });

  test("is not given to a server whose certificate nobody vouches for", async () => {
    const selfSigned = await peerWith({ login: true, startTls: true });
    const url = selfSigned.url.replace("127.0.0.1", "0.0.0.0");
    expect(await send({ url })).toMatchObject({
      outcome: "unsent",
      fault: { about: "channel", advice: expect.stringContaining("인증서") },
    });
    expect(selfSigned.logins).toEqual([]);
    // On this machine nobody is in between.
    expect(await send({ url: selfSigned.url })).toMatchObject({ outcome: "delivered" });
    await selfSigned.stop();
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

test.each([
  ["smtp://mail.example", { port: 587, secure: false, requireTLS: true }],
  ["smtps://mail.example", { port: 465, secure: true, requireTLS: false }],
  ["smtp://localhost:25", { port: 25, secure: false, requireTLS: false }],
  ["smtp://[::1]:2525", { host: "::1", requireTLS: false }],
  ["smtp://127.evil.example", { requireTLS: true }],
  ["smtp://mail.example?requireTLS=false&secure=false", { requireTLS: true }],
  ["smtp://a%40b:p%3Aw%25@mail.example", { auth: { user: "a@b", pass: "p:w%" } }],
])("%s is read as it should be", (smtpUrl, expected) => {
  expect(smtpOptions(smtpUrl, SITE)).toMatchObject(expected);
});
