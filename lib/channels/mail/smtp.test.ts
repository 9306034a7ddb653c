import dns from "node:dns";
import os from "node:os";
import { afterEach, expect, vi } from "vitest";
import { MINUTE } from "#lib/application/durations.ts";
import { parseMailbox, parseMailboxes } from "#lib/channels/mail/address.ts";
import { converse } from "#lib/channels/mail/conversation.ts";
import { openMailChannel, smtpOptions } from "#lib/channels/mail/smtp.ts";
import { OWNER_MAIL, startPeer, test } from "#testing/peers/mail-to-peer.ts";
import { SMTP_LOGIN, type SmtpMisbehaviour, type SmtpPeer } from "#testing/peers/smtp-peer.ts";

const never = () => new Promise<never>(() => undefined);
const SITE = "https://practice.example";
const addressOf = ({ address }: { address: string }) => address;
const { signal } = new AbortController();
const openTo = (smtp: SmtpPeer, to: string[], siteUrl = SITE) =>
  openMailChannel(
    { server: smtp.mailServer(), from: { name: "", address: "a@b.kr" }, to },
    siteUrl,
  );

test("the owner gets each mail once, with its text, HTML and headers", async ({ smtp, send }) => {
  const answer = await send();
  expect(smtp.mails).toHaveLength(1);
  const [mail] = smtp.mails;
  expect(mail?.envelopeTo).toEqual([OWNER_MAIL]);
  expect(mail?.envelopeFrom).toBe("site@practice.example");
  expect(mail?.parsed.text).toContain("전화번호: 010-1234-5678");
  expect(mail?.parsed.html).toContain("tel:+821012345678");
  expect(mail?.parsed.replyTo).toBeUndefined();
  expect(mail?.raw).toContain("Auto-Submitted: auto-generated\r\n");
  expect(mail?.raw).not.toContain("quoted-printable");
  expect(answer).toEqual({ outcome: "delivered", providerId: mail?.parsed.messageId });
  await expect.poll(() => smtp.quits).toBe(1);
});

const silent = () => ({ slow: { sender: never } });
test.for<[string, SmtpMisbehaviour]>([
  ["an accepted mail", {}],
  ["a refused login", { login: 535 }],
  ["a refused sender", { sender: 550 }],
  ["an aborted conversation", silent()],
])("%s leaves neither a connection nor a timer behind", async ([, misbehaviour], { send }) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using server = await startPeer({ needsLogin: true });
  server.next(misbehaviour);
  const cut = new AbortController();
  const sent = send({ server: server.mailServer(), signal: cut.signal });
  if (misbehaviour.slow) {
    await expect.poll(() => server.attempts).toBe(1);
    cut.abort();
  }
  await sent;
  const soon = { timeout: 5_000 };
  await expect.poll(() => server.openConnections, soon).toBe(0);
  // A timer left behind would keep the doctor from ending.
  await expect.poll(() => vi.getTimerCount(), soon).toBe(0);
});

test.for([
  [SITE, "practice.example"],
  ["http://203.0.113.7:3000", "[203.0.113.7]"],
  ["http://[2001:db8::1]", "[ipv6:2001:db8::1]"],
])("the site at %s greets a mail server as %s", async ([siteUrl, name], { smtp }) => {
  await openTo(smtp, [OWNER_MAIL], siteUrl).transmit({ kind: "test", text: "시험" }, OWNER_MAIL, {
    signal,
  });
  expect(smtp.clientNames).toEqual([name]);
});

test("an address that occurs twice in MAIL_TO is one recipient", ({ smtp }) => {
  const { recipients } = openTo(smtp, [OWNER_MAIL, "second@practice.example", OWNER_MAIL]);
  expect(recipients).toEqual([OWNER_MAIL, "second@practice.example"]);
});

test("addresses with Hangul or a colon survive in header and envelope", async ({ smtp }) => {
  const from = parseMailbox("차근차근: 운전연수 <site@연수.한국>");
  const to = (parseMailboxes("owner@연수.한국, r&d@practice.example") ?? []).map(addressOf);
  if (from === undefined) throw new Error("no sender");
  const channel = openMailChannel({ server: smtp.mailServer(), from, to }, SITE);
  await channel.transmit({ kind: "test", text: "시험" }, to[0] ?? "", { signal });
  await channel.transmit({ kind: "test", text: "시험" }, to[1] ?? "", { signal });
  const [mail, second] = smtp.mails;
  const domain = "xn--9p4b93e.xn--3e0b707e";
  // The peer accepts only punycode, and decodes the addresses.
  expect(mail?.envelopeTo).toEqual(["owner@연수.한국"]);
  expect(second?.envelopeTo).toEqual(["r&d@practice.example"]);
  expect(mail?.raw).toContain(`To: owner@${domain}, r&d@practice.example\r\n`);
  expect(mail?.raw).toMatch(RegExp(`^From: \\S+(\r\n)? <site@${domain}>\r$`, "m"));
  expect(mail?.parsed.from?.value).toMatchObject([{ name: "차근차근: 운전연수" }]);
  expect(mail?.parsed.messageId).toMatch(`@${domain}>`);
});

test("a repeat after a connection that broke has the same Message-ID [20]", async ({
  smtp,
  send,
}) => {
  smtp.next({ dropsAfterData: true });
  expect(await send()).toMatchObject({ outcome: "unknown", fault: { about: "channel" } });
  expect(await send()).toMatchObject({ outcome: "delivered" });
  const [first, second] = smtp.mails;
  expect(first?.parsed.messageId).toBe("<7K3MPQ9X.mail@practice.example>");
  expect(second?.parsed.messageId).toBe(first?.parsed.messageId);
});

test("a host that had no IPv4 address at its first mail reaches a server by IPv4", async ({
  smtp,
}) => {
  const card = { netmask: "", mac: "", cidr: null, scopeid: 1, internal: false } as const;
  vi.spyOn(os, "networkInterfaces").mockReturnValue({
    lo: [{ ...card, address: "127.0.0.1", family: "IPv4", internal: true }],
    eth0: [{ ...card, address: "fe80::1", family: "IPv6" }],
  });
  const answerWith =
    (address: string) =>
    (...given: unknown[]) => {
      const answer = given.at(-1);
      if (typeof answer === "function") answer(null, [address]);
    };
  vi.spyOn(dns.Resolver.prototype, "resolve4").mockImplementation(answerWith("127.0.0.1"));
  vi.spyOn(dns.Resolver.prototype, "resolve6").mockImplementation(answerWith("100::1"));
  const options = { ...smtpOptions(smtp.mailServer("mail.example"), SITE), requireTLS: false };
  const { failure } = await converse(options, undefined, { signal });
  expect(failure).toBeUndefined();
});

afterEach(() => vi.useRealTimers());
/** The waits of RFC 5321 section 4.5.3.2, which a test cannot wait for. */
const PATIENT = { connectionTimeout: 5 * MINUTE, greetingTimeout: 5 * MINUTE };
const IMPATIENT = { connectionTimeout: 500, greetingTimeout: 500, socketTimeout: 500 };

test.each([
  ["connect", "greeting"],
  ["login", "login"],
  ["envelope", "sender"],
  ["envelope", "recipient"],
  ["envelope", "data"],
  ["finalDot", "finalDot"],
])("a server's silence at $1 ends the conversation at the step $0 [46]", async (step, slow) => {
  await using server = await startPeer({ needsLogin: true });
  const options = smtpOptions(server.mailServer(), SITE);
  expect(options).toMatchObject({ ...PATIENT, socketTimeout: 10 * MINUTE });
  server.next({ slow: { [slow]: never } });
  const mail = { from: "a@b.kr", to: OWNER_MAIL, words: "", content: Buffer.from("x\r\n") };
  const { failure } = await converse({ ...options, ...IMPATIENT }, mail, { signal });
  expect(failure).toMatchObject({ step, status: undefined, words: "ETIMEDOUT" });
});

test("beforeTransmit runs only after the server has accepted a recipient", async ({
  smtp,
  send,
}) => {
  let asked = 0;
  const beforeTransmit = async () => {
    expect(smtp.mails).toHaveLength(0);
    asked += 1;
    return false;
  };
  smtp.next({ recipients: { [OWNER_MAIL]: 550 } });
  expect(await send({ beforeTransmit })).toMatchObject({ outcome: "rejected" });
  expect(asked).toBe(0);
  expect(await send({ beforeTransmit })).toEqual({ outcome: "not-sent" });
  expect(asked).toBe(1);
  await expect.poll(() => smtp.openConnections).toBe(0);
  expect(smtp.mails).toHaveLength(0);
});

const unclear = {
  outcome: "unknown",
  fault: { error: expect.stringContaining("finalDot: EPROTOCOL") },
};

test("a reply before the end of a mail gives an unknown outcome [20]", async ({ send }) => {
  await using server = await startPeer({ acceptsEarly: true });
  expect(await send({ server: server.mailServer() })).toMatchObject(unclear);
  expect(await send({ server: server.mailServer(), beforeTransmit: never })).toMatchObject(unclear);
});

test.for(["25 Ok", "250-Ok\n550 No"])(
  "the malformed final reply %j gives an unknown outcome",
  async (data, { smtp, send }) => {
    smtp.next({ data });
    expect(await send()).toMatchObject(unclear);
  },
);

test("an aborted mail is never reported as delivered", async ({ smtp, send }) => {
  expect(await send({ signal: AbortSignal.abort() })).toMatchObject({ outcome: "not-sent" });
  smtp.next({ slow: { sender: never } });
  const cut = new AbortController();
  const sent = send({ signal: cut.signal });
  await expect.poll(() => smtp.attempts).toBe(1);
  cut.abort();
  expect(await sent).toMatchObject({ outcome: "not-sent" });
  expect(smtp.mails).toHaveLength(0);
});

test("the login never travels in clear text off this machine [21]", async ({ send }) => {
  await using login = await startPeer({ needsLogin: true });
  expect(await send({ server: login.mailServer() })).toMatchObject({ outcome: "delivered" });
  expect(login.sentPasswords).toEqual([SMTP_LOGIN.password]);
  // 0.0.0.0 leads to this machine, but is not a loopback address.
  const server = login.mailServer("0.0.0.0");
  expect(await send({ server })).toMatchObject({ outcome: "rejected" });
  expect(login.sentPasswords).toHaveLength(1);
  expect(login.attempts).toBe(1);
});

test("the login is not sent to a server with an untrusted certificate [22]", async ({ send }) => {
  await using selfSigned = await startPeer({ needsLogin: true, offersStartTls: true });
  const server = selfSigned.mailServer("0.0.0.0");
  expect(await send({ server })).toMatchObject({
    outcome: "not-sent",
    fault: { about: "channel", advice: expect.stringContaining("인증서") },
  });
  expect(selfSigned.sentPasswords).toEqual([]);
  // On loopback a self-signed certificate is accepted, because nobody can intercept the connection.
  expect(await send({ server: selfSigned.mailServer() })).toMatchObject({ outcome: "delivered" });
});

test.each([
  ["mail.example", true],
  ["localhost", false],
  ["::1", false],
  ["127.evil.example", true],
  ["127.0.0.1.evil.example", true],
])("STARTTLS is required of the host %s: %s [21]", (host, requireTLS) => {
  const options = smtpOptions({ host, port: 25, secure: false }, SITE);
  expect(options).toMatchObject({ secure: false, requireTLS });
});
