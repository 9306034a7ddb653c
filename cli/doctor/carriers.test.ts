import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examineCarriers } from "#cli/doctor/carriers.ts";
import { parseConfig } from "#lib/config.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";

const SERVICE = `MG${"0".repeat(32)}`;

/** `level: sentence` by check. */
async function look(env: Record<string, string>): Promise<Record<string, string>> {
  const findings = await examineCarriers(parseConfig(env));
  return Object.fromEntries(
    findings.map(({ check, level, sentence }) => [check, `${level}: ${sentence}`]),
  );
}

test("no carrier is configured", async () => {
  expect((await look({})).carriers).toMatch(
    /^fault: 문자도 메일도 설정되지 않아 .+ \.env에 .*SMS_TO.*SMTP_URL.+ 넣어 주세요\.$/,
  );
});

describe("Twilio", () => {
  let peer: TwilioPeer;
  let env: Record<string, string>;
  beforeEach(async () => {
    peer = new TwilioPeer();
    env = {
      SMS_TO: "010-9999-0000",
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
      TWILIO_FROM: "+82215880000",
      TWILIO_API_URL: await peer.start(),
    };
  });
  afterEach(() => peer.stop());

  test("all is well, mail is missing, and nothing was sent", async () => {
    expect(await look(env)).toEqual({
      "twilio-login": "ok: Twilio에 로그인됩니다.",
      "twilio-account": "ok: Twilio 계정이 활성 상태입니다.",
      "twilio-balance": "ok: Twilio 잔액이 42.10 USD입니다.",
      "twilio-country": "ok: Twilio에서 한국으로 보내는 문자가 허용되어 있습니다.",
      "twilio-sender": "ok: 보내는 번호로 문자를 보낼 수 있습니다.",
      carriers: expect.stringMatching(/^warn: 메일 설정이 없어 .*SMTP_URL, MAIL_FROM, MAIL_TO/),
    });
    expect(peer.requests).toBe(0);
  });

  test.each<[string, (account: TwilioPeer["account"]) => unknown, check: string, RegExp]>([
    [
      "a suspended account",
      (of) => Object.assign(of, { status: "suspended" }),
      "account",
      /^fault: .*정지/,
    ],
    [
      "no money",
      (of) => Object.assign(of, { balance: "0.00" }),
      "balance",
      /^fault: .*0\.00 USD라서.*충전/,
    ],
    [
      "little money",
      (of) => Object.assign(of, { balance: "3.00" }),
      "balance",
      /^warn: .*3\.00 USD뿐/,
    ],
    [
      "untold money",
      (of) => Object.assign(of, { balance: undefined }),
      "balance",
      /^ok: .+건너뜁니다\.$/,
    ],
    [
      "Korea shut",
      (of) => Object.assign(of, { koreaEnabled: false }),
      "country",
      /^fault: .*Geo permissions/,
    ],
    ["another's number", (of) => of.numbers.clear(), "sender", /^fault: TWILIO_FROM이 이 Twilio/],
    [
      "a number that can only call",
      (of) => of.numbers.set("+82215880000", { sms: false }),
      "sender",
      /^fault: 보내는 번호로는 문자를 보낼 수 없습니다\..+\(TWILIO_FROM\)$/,
    ],
    [
      "a trial account",
      (of) => Object.assign(of, { type: "Trial" }),
      "trial",
      /^fault: .*인증한 번호로만/,
    ],
    [
      "a trial account with the owner's number",
      (of) => Object.assign(of, { type: "Trial", verified: ["+821099990000"] }),
      "trial",
      /^warn: Twilio 체험 계정입니다\. /,
    ],
  ])("%s", async (_what, change, check, sentence) => {
    change(peer.account);
    expect((await look(env))[`twilio-${check}`]).toMatch(sentence);
  });

  test("a wrong token, which no sentence repeats; and nobody who answers", async () => {
    const findings = await look({ ...env, TWILIO_AUTH_TOKEN: "a-wrong-token" });
    expect(findings["twilio-login"]).toMatch(
      /^fault: .*인증 토큰.*\(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN\)$/,
    );
    expect(JSON.stringify(findings)).not.toContain("a-wrong-token");
    await peer.stop();
    expect((await look(env))["twilio-login"]).toMatch(/^fault: Twilio가 응답하지 않습니다/);
    await peer.start();
  });

  test("a messaging service with a number, without one, and one that is not there", async () => {
    const { TWILIO_FROM: _, ...others } = env;
    const withService = (sid: string) => look({ ...others, TWILIO_MESSAGING_SERVICE_SID: sid });
    expect((await withService(SERVICE))["twilio-sender"]).toMatch(/^ok: 메시징 서비스에 보내는/);
    expect((await withService(`MG${"F".repeat(32)}`))["twilio-sender"]).toMatch(
      /^fault: 메시징 서비스.+\(TWILIO_MESSAGING_SERVICE_SID\)$/,
    );
    peer.account.serviceNumbers = [];
    expect((await withService(SERVICE))["twilio-sender"]).toMatch(/^fault: 메시징 서비스/);
  });

  test("a part that breaks off is a warning, and the others are looked at all the same", async () => {
    const describeAll = peer.account.resource.bind(peer.account);
    peer.account.resource = (url) => {
      if (url.pathname.endsWith("/GeoPermissions")) throw new Error("broken off");
      return describeAll(url);
    };
    const findings = await look(env);
    expect(findings["twilio-country"]).toMatch(/^warn: .*이 항목을 확인하지 못했습니다\. /);
    expect(findings["twilio-sender"]).toMatch(/^ok/);
  });
});

describe("SMTP", () => {
  const peers: SmtpPeer[] = [];
  async function started(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
    const peer = new SmtpPeer(options);
    await peer.start();
    peers.push(peer);
    return peer;
  }
  afterEach(async () => {
    for (const peer of peers.splice(0)) await peer.stop();
  });
  const lookAt = (url: string, from = "운전연수 <site@practice.example>") =>
    look({ SMTP_URL: url, MAIL_FROM: from, MAIL_TO: "owner@practice.example" });

  test("all is well with encryption and login, SMS is missing, and nothing was sent", async () => {
    const peer = await started({ login: true, startTls: true });
    expect(await lookAt(peer.url)).toEqual({
      smtp: "ok: 메일 서버에 연결되고 로그인됩니다.",
      carriers: expect.stringMatching(/^warn: 문자 설정이 없어 .*SMS_TO/),
    });
    await expect.poll(() => peer.open).toBe(0);
    expect(peer.logins).toHaveLength(1);
    expect(peer.attempts).toBe(0);
  });

  test.each([
    ["smtp://127.0.0.1:1", /^fault: 메일 서버가 연결을 받지 않습니다\. .+ \(SMTP_URL\)/],
    ["smtp://mail.invalid:587", /^fault: 메일 서버의 이름을 찾지 못합니다\. .+ \(SMTP_URL\)/],
  ])("nobody answers at %s", async (url, sentence) => {
    expect((await lookAt(url)).smtp).toMatch(sentence);
  });

  test.each([
    [true, /인증서가 만료되었습니다/],
    [false, /안전하게 연결하지 못합니다/],
  ])("a server that cannot be trusted gets no password (STARTTLS %s)", async (startTls, told) => {
    const peer = await started({ startTls, login: true });
    // 0.0.0.0 leads to this machine without being a loopback address.
    const { smtp } = await lookAt(peer.url.replace("127.0.0.1", "0.0.0.0"));
    expect(smtp).toMatch(told);
    expect(peer.logins).toEqual([]);
  });

  test("a wrong password is told with what the server says, and not repeated", async () => {
    const peer = await started({ login: true });
    peer.next({ login: "534 5.7.9 Application-specific password required" });
    const findings = await lookAt(peer.url.replace(/:[^:@]+@/, ":a-wrong-password@"));
    expect(findings.smtp).toMatch(/^fault: .*앱 비밀번호.*\(SMTP_URL\) .*534 5\.7\.9/);
    expect(JSON.stringify(findings)).not.toContain("a-wrong-password");
  });

  test("a sender that is not the login is told, with both", async () => {
    const peer = await started({ login: true });
    const url = (user: string) => peer.url.replace("site:", `${encodeURIComponent(user)}:`);
    peer.always({ login: 235 });
    const mine = await lookAt(url("site@practice.example"));
    expect(mine["mail-from"]).toBeUndefined();
    expect((await lookAt(url("other@naver.com")))["mail-from"]).toMatch(
      /^warn: 보내는 주소\(MAIL_FROM\)가 site@practice\.example인데 로그인은 other@naver\.com/,
    );
    // A login that is no address says nothing.
    expect((await lookAt(url("AppKey")))["mail-from"]).toBeUndefined();
  });
});
