import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examineChannels } from "#cli/doctor/channels.ts";
import { parseConfig } from "#lib/config.ts";
import { SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";

const SERVICE = `MG${"0".repeat(32)}`;

function smsSettings(peer: TwilioPeer) {
  return {
    SMS_TO: "010-9999-0000",
    TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
    TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    TWILIO_FROM: "+82215880000",
    TWILIO_API_URL: peer.url,
  };
}

function mailSettings(url: string) {
  return {
    SMTP_URL: url,
    MAIL_FROM: "운전연수 <site@practice.example>",
    MAIL_TO: "owner@practice.example",
  };
}

/** `level: sentence` by check. */
async function look(env: Record<string, string>): Promise<Record<string, string>> {
  const findings = await examineChannels(parseConfig(env));
  return Object.fromEntries(
    findings.map(({ check, level, sentence }) => [check, `${level}: ${sentence}`]),
  );
}

test("neither channel is configured", async () => {
  const { channels } = await look({});
  expect(channels).toMatch(/^fault: 문자도 메일도 설정되지 않아 .+ \.env에 .+ 넣어 주세요\.$/);
});

describe("Twilio", () => {
  let peer: TwilioPeer;
  beforeEach(async () => {
    peer = new TwilioPeer();
    await peer.start();
  });
  afterEach(() => peer.stop());

  test("all is well, and mail is missing", async () => {
    const findings = await look(smsSettings(peer));
    expect(findings).toEqual({
      "twilio-login": "ok: Twilio에 로그인됩니다.",
      "twilio-account": "ok: Twilio 계정이 활성 상태입니다.",
      "twilio-balance": "ok: Twilio 잔액은 42.10 USD입니다.",
      "twilio-country": "ok: Twilio에서 한국으로 보내는 문자가 허용되어 있습니다.",
      "twilio-sender": "ok: 보내는 번호로 문자를 보낼 수 있습니다.",
      channels:
        "warn: 메일이 설정되지 않아 문자가 막히면 알릴 길이 없습니다. .env에 SMTP_URL, MAIL_FROM, MAIL_TO를 넣어 주세요.",
    });
    expect(peer.requests, "messages sent").toBe(0);
  });

  test("a wrong token, which no sentence repeats", async () => {
    const findings = await look({ ...smsSettings(peer), TWILIO_AUTH_TOKEN: "a-wrong-token" });
    expect(findings["twilio-login"]).toBe(
      "fault: Twilio 로그인이 거부되었습니다. Twilio 계정 번호(SID)와 인증 토큰 설정을 확인해 주세요. (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)",
    );
    expect(JSON.stringify(findings)).not.toContain("a-wrong-token");
  });

  test("nobody answers", async () => {
    const env = smsSettings(peer);
    await peer.stop();
    const findings = await look(env);
    await peer.start();
    expect(findings["twilio-login"]).toMatch(
      /^fault: Twilio가 응답하지 않습니다.+확인해 주세요\.$/,
    );
  });

  test("a suspended account", async () => {
    peer.account.status = "suspended";
    const findings = await look(smsSettings(peer));
    expect(findings["twilio-account"]).toBe(
      "fault: Twilio 계정이 정지되었습니다. Twilio 콘솔에서 계정 상태와 잔액을 확인해 주세요.",
    );
  });

  test.each([
    ["0.00", /^fault: Twilio 잔액이 0\.00 USD이라 문자가 나가지 않습니다\. .+충전해 주세요\.$/],
    ["-1.50", /^fault: Twilio 잔액이 -1\.50 USD/],
    ["3.00", /^warn: Twilio 잔액이 3\.00 USD뿐입니다\. .+켜 주세요\.$/],
  ])("a balance of %s", async (amount, sentence) => {
    peer.account.balance = amount;
    expect((await look(smsSettings(peer)))["twilio-balance"]).toMatch(sentence);
  });

  test("a balance that is not told is no fault", async () => {
    peer.account.balance = undefined;
    expect((await look(smsSettings(peer)))["twilio-balance"]).toMatch(/^ok: .+건너뜁니다\.$/);
  });

  test("Korea is not allowed", async () => {
    peer.account.koreaEnabled = false;
    expect((await look(smsSettings(peer)))["twilio-country"]).toBe(
      "fault: Twilio 콘솔의 Geo permissions에서 한국으로 보내는 문자를 허용해 주세요.",
    );
  });

  test("the sender is a number of somebody else's", async () => {
    peer.account.numbers.clear();
    expect((await look(smsSettings(peer)))["twilio-sender"]).toMatch(
      /^fault: TWILIO_FROM이 이 Twilio 계정의 번호가 아닙니다\. .+넣어 주세요\.$/,
    );
  });

  test("the sender can only call", async () => {
    peer.account.numbers.set("+82215880000", { sms: false });
    expect((await look(smsSettings(peer)))["twilio-sender"]).toMatch(
      /^fault: 보내는 번호로는 문자를 보낼 수 없습니다\. .+확인해 주세요\. \(TWILIO_FROM\)$/,
    );
  });

  test("a messaging service with and without a number", async () => {
    const { TWILIO_FROM: _, ...others } = smsSettings(peer);
    const env = { ...others, TWILIO_MESSAGING_SERVICE_SID: SERVICE };
    expect((await look(env))["twilio-sender"]).toBe("ok: 메시징 서비스에 보내는 번호가 있습니다.");
    peer.account.serviceNumbers = [];
    expect((await look(env))["twilio-sender"]).toMatch(
      /^fault: 메시징 서비스에 보내는 번호가 없습니다\. .+ \(TWILIO_MESSAGING_SERVICE_SID\)$/,
    );
  });

  test("a messaging service that is not there", async () => {
    const { TWILIO_FROM: _, ...others } = smsSettings(peer);
    const env = { ...others, TWILIO_MESSAGING_SERVICE_SID: `MG${"F".repeat(32)}` };
    expect((await look(env))["twilio-sender"]).toMatch(
      /^fault: 메시징 서비스를 찾지 못합니다\. .+ \(TWILIO_MESSAGING_SERVICE_SID\)$/,
    );
  });

  test("a trial account, before and after the owner's number is verified", async () => {
    peer.account.type = "Trial";
    expect((await look(smsSettings(peer)))["twilio-trial"]).toMatch(
      /^fault: 체험 계정은 인증한 번호로만 보냅니다\. /,
    );
    peer.account.verified = ["+821099990000"];
    expect((await look(smsSettings(peer)))["twilio-trial"]).toMatch(
      /^warn: Twilio 체험 계정입니다\. /,
    );
  });

  test("a part that breaks off is a warning, and the others are looked at all the same", async () => {
    const describeAll = peer.account.resource.bind(peer.account);
    peer.account.resource = (url) => {
      if (url.pathname.endsWith("/GeoPermissions")) throw new Error("broken off");
      return describeAll(url);
    };
    const findings = await look(smsSettings(peer));
    expect(findings["twilio-country"]).toMatch(
      /^warn: Twilio에서 이 항목을 확인하지 못했습니다\. /,
    );
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

  test("all is well with encryption and login, nothing is sent, and SMS is missing", async () => {
    const peer = await started({ login: true, startTls: true });
    expect(await look(mailSettings(peer.url))).toEqual({
      smtp: "ok: 메일 서버에 연결되고 로그인됩니다.",
      channels:
        "warn: 문자가 설정되지 않아 모든 신청이 메일로만 갑니다. 문자도 받으려면 .env에 SMS_TO와 TWILIO_ 설정을 넣어 주세요.",
    });
    await pause(50);
    expect(peer.logins).toHaveLength(1);
    expect(peer.attempts).toBe(0);
  });

  test("nobody answers", async () => {
    const peer = await started();
    const { url } = peer;
    await peer.stop();
    peers.splice(0);
    expect((await look(mailSettings(url))).smtp).toBe(
      "fault: 메일 서버가 연결을 받지 않습니다. 메일 서버의 주소와 포트 설정을 확인해 주세요. (SMTP_URL)",
    );
  });

  test("a name that does not exist", async () => {
    expect((await look(mailSettings("smtp://mail.invalid:587"))).smtp).toMatch(
      /^fault: 메일 서버(의 이름을 찾지 못합니다|와의 연결이 끊어집니다)\. .+ \(SMTP_URL\)$/,
    );
  });

  test.each([
    ["an expired certificate", true, "의 인증서가 만료되었습니다. 인증서를 갱신해 주세요."],
    [
      "no encryption where the server is not this machine",
      false,
      "와 안전하게 연결하지 못합니다. 서버의 인증서와 암호화(STARTTLS) 설정을 확인해 주세요.",
    ],
  ])("%s: the password stays here", async (_what, startTls, told) => {
    const peer = await started({ startTls, login: true });
    // 0.0.0.0 leads to this machine without being a loopback address.
    const findings = await look(mailSettings(peer.url.replace("127.0.0.1", "0.0.0.0")));
    expect(findings.smtp).toBe(`fault: 메일 서버${told} (SMTP_URL)`);
    expect(peer.logins).toEqual([]);
  });

  test("a wrong password, which no sentence repeats", async () => {
    const peer = await started({ login: true });
    const url = peer.url.replace(/:[^:@]+@/, ":a-wrong-password@");
    const findings = await look(mailSettings(url));
    expect(findings.smtp).toBe(
      "fault: 메일 서버가 로그인을 거부했습니다. 메일 계정의 아이디와 비밀번호 설정을 확인해 주세요. (SMTP_URL)",
    );
    expect(JSON.stringify(findings)).not.toContain("a-wrong-password");
  });
});
