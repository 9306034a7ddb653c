import { describe, expect, test } from "vitest";
import { faultIn } from "#lib/channels/mail/conversation.ts";
import { smtpOutcome } from "#lib/channels/mail/error-codes.ts";
import { transportOptions } from "#lib/channels/mail/smtp.ts";
import { peerWith, send } from "#testing/mail-to-peer.ts";
import { SMTP_LOGIN } from "#testing/peers/smtp-peer.ts";

describe("the login", () => {
  test("is used where SMTP_URL has one", async () => {
    const login = await peerWith({ login: true });
    expect(await send(login.url)).toMatchObject({ outcome: "delivered" });
    await login.stop();
  });

  test("that is wrong is refused with its 535, as a setting to mend", async () => {
    const login = await peerWith({ login: true });
    const outcome = await send(login.url.replace(SMTP_LOGIN.password, "wrong"));
    expect(outcome).toMatchObject({
      outcome: "refused",
      error: expect.stringContaining("535"),
    });
    await login.stop();
  });

  test("never travels in clear text, nor does the application, when the host is not loopback", async () => {
    const login = await peerWith({ login: true });
    // 0.0.0.0 leads to this machine without being a loopback address.
    const outcome = await send(login.url.replace("127.0.0.1", "0.0.0.0"));
    expect(outcome).toMatchObject({ outcome: "refused" });
    expect(login.logins).toEqual([]);
    expect(login.attempts).toBe(0);
    await login.stop();
  });

  test("is not given to a server whose certificate nobody vouches for", async () => {
    const selfSigned = await peerWith({ login: true, startTls: true });
    const outcome = await send(selfSigned.url.replace("127.0.0.1", "0.0.0.0"));
    expect(outcome).toMatchObject({ outcome: "retry" });
    expect(selfSigned.logins).toEqual([]);
    await selfSigned.stop();
  });
});

test("STARTTLS is used on loopback where it is offered", async () => {
  const offering = await peerWith({ startTls: true });
  expect(await send(offering.url)).toMatchObject({ outcome: "delivered" });
  await offering.stop();
});

test("a server that is not there is tried again", async () => {
  expect(await send("smtp://127.0.0.1:1")).toMatchObject({
    outcome: "retry",
    error: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a name that nobody knows is tried again", async () => {
  expect(await send("smtp://nowhere.invalid")).toMatchObject({
    outcome: "retry",
    error: expect.stringContaining("EDNS"),
    advice: expect.stringContaining("이름을 찾지 못합니다"),
  });
});

/** As nodemailer and Node tell what came before anything was handed over. */
test.each([
  ["no way to the host", { code: "ESOCKET", originalCode: "EHOSTUNREACH" }],
  ["no way to the network", { code: "ESOCKET", originalCode: "ENETUNREACH" }],
  ["an upgrade to TLS that fails", { code: "ETLS", command: "CONN" }],
  ["an expired certificate", { code: "ESOCKET", originalCode: "CERT_HAS_EXPIRED" }],
  ["its own certificate", { code: "ESOCKET", originalCode: "DEPTH_ZERO_SELF_SIGNED_CERT" }],
  ["a private authority", { code: "ESOCKET", originalCode: "SELF_SIGNED_CERT_IN_CHAIN" }],
  ["an unknown authority", { code: "ESOCKET", originalCode: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" }],
  ["a gap in the chain", { code: "ESOCKET", originalCode: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }],
  ["a certificate of tomorrow", { code: "ESOCKET", originalCode: "CERT_NOT_YET_VALID" }],
  ["another's certificate", { code: "ESOCKET", originalCode: "ERR_TLS_CERT_ALTNAME_INVALID" }],
  ["an end of the connection at the EHLO", { code: "ECONNECTION", command: "EHLO" }],
  ["a login that is deferred", { code: "EAUTH", responseCode: 454, command: "AUTH" }],
  ["no connection in time", { code: "ETIMEDOUT", timeoutType: "CONNECT_TIMEOUT" }],
  ["a reset", { code: "ESOCKET", originalCode: "ECONNRESET", command: "CONN" }],
])("%s is tried again, and not in doubt", (_what, error) => {
  const outcome = smtpOutcome(faultIn(error, { stage: "connect", left: false }));
  expect(outcome).toMatchObject({ outcome: "retry", advice: expect.stringMatching(/주세요\.$/) });
});

test.each([
  ["smtp://mail.example", { port: 587, secure: false, requireTLS: true }],
  ["smtps://mail.example", { port: 465, secure: true, requireTLS: false }],
  ["smtp://localhost:25", { port: 25, secure: false, requireTLS: false }],
  ["smtp://[::1]:2525", { host: "::1", requireTLS: false }],
  ["smtp://127.evil.example", { requireTLS: true }],
  ["smtp://mail.example?requireTLS=false&secure=false", { requireTLS: true }],
  ["smtp://a%40b:p%3Aw@mail.example", { auth: { user: "a@b", pass: "p:w" } }],
])("%s is read as it should be", (smtpUrl, expected) => {
  expect(transportOptions(smtpUrl)).toMatchObject(expected);
});
