import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { parseConfig } from "#lib/config.ts";
import { SMTP_LOGIN, SmtpPeer, type SmtpPeerOptions } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { runProgram } from "#testing/site/command-line.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

async function lineOfEachFinding(env: Record<string, string>): Promise<string> {
  const config = parseConfig(env);
  const limit = vi.spyOn(AbortSignal, "timeout");
  const examined = await Promise.all(
    PROVIDER_CHANNELS.map((name) => CHANNEL_DEFINITIONS[name].diagnose(config)),
  );
  // The limit is short, because a person waits for the doctor.
  expect(limit).toHaveBeenLastCalledWith(20_000);
  const findings = examined.flatMap((each) => each ?? []);
  return findings.map(({ level, sentence }) => `${level}: ${sentence}`).join("\n");
}

describe("the doctor examines Twilio", () => {
  let peer: TwilioPeer;
  let env: Record<string, string>;
  beforeEach(async () => {
    peer = new TwilioPeer();
    await peer.start();
    env = smsSettings(peer);
  });
  afterEach(() => peer.stop());

  test("the examination of a Twilio account sends no text", async () => {
    expect((await lineOfEachFinding(env)).split("\n")).toEqual([
      "ok: Twilio에 로그인되고 계정이 활성 상태입니다.",
      "ok: Twilio 잔액이 42.10 USD입니다.",
    ]);
    expect(peer.requests).toBe(0);
  });

  test.each([
    [{ status: "suspended" }, /^fault: .*정지/m],
    [{ type: "Trial" }, /^fault: Twilio 체험 계정.*Trust Hub/m],
    [{ balance: "0.00" }, /^fault: .*0\.00 USD라서.*충전/m],
    [{ balance: "3.00", currency: "EUR" }, /^warn: .*3\.00 EUR뿐/m],
    // Twilio reports no balance for a subaccount.
    [{ balance: undefined }, /^ok: Twilio에 로그인되고 계정이 활성 상태입니다\.$/],
  ] as const)("a Twilio account with %o gives the finding %s", async (account, sentence) => {
    Object.assign(peer.account, account);
    expect(await lineOfEachFinding(env)).toMatch(sentence);
  });

  test("a sender that does not belong to the Twilio account is a fault", async () => {
    const foreign = { ...env, TWILIO_FROM: "+8225550000" };
    expect(await lineOfEachFinding(foreign)).toMatch(
      /^fault: .+TWILIO_FROM.+02-555-0000 번호가 이 Twilio/m,
    );
    peer.phoneNumbers = undefined;
    expect(await lineOfEachFinding(foreign)).not.toMatch(/TWILIO_FROM/);
  });

  test("the fault of a wrong Twilio token does not quote the token", async () => {
    const findings = await lineOfEachFinding({ ...env, TWILIO_AUTH_TOKEN: "a-wrong-token" });
    expect(findings).toMatch(/^fault: .*인증 토큰.*\(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN\)$/m);
    expect(findings).not.toContain("a-wrong-token");
  });

  test("a Twilio that does not answer is reported as a fault", async () => {
    await peer.stop();
    expect(await lineOfEachFinding(env)).toMatch(/^fault: Twilio가 응답하지 않습니다.+주세요\.$/m);
    await peer.start();
  });
});

async function startMailServer(options: SmtpPeerOptions = {}) {
  const peer = new SmtpPeer({ needsLogin: true, ...options });
  await peer.start();
  onTestFinished(() => peer.stop());
  const diagnoseAs = (changes: Partial<typeof SMTP_LOGIN> = {}) =>
    lineOfEachFinding(mailSettings({ ...peer.mailServer(), login: { ...SMTP_LOGIN, ...changes } }));
  return { peer, diagnoseAs };
}

test("the examination of a mail server sends no mail", async () => {
  const { peer, diagnoseAs } = await startMailServer({ offersStartTls: true });
  expect((await diagnoseAs()).split("\n")).toEqual(["ok: 메일 서버에 연결되고 로그인됩니다."]);
  await expect.poll(() => peer.openConnections).toBe(0);
  expect(peer.sentPasswords).toHaveLength(1);
  expect(peer.attempts).toBe(0);
});

test("a mail server that offers no login gives a warning", async () => {
  const { peer, diagnoseAs } = await startMailServer({ noAuth: true });
  const findings = await diagnoseAs();
  expect(findings).toMatch(/^warn: .*로그인을 제공하지 않아/m);
  expect(findings).not.toContain("로그인됩니다");
  expect(peer.sentPasswords).toEqual([]);
});

test("the fault of a wrong password does not quote the password", async () => {
  const { peer, diagnoseAs } = await startMailServer();
  peer.next({ login: "534 5.7.9 Application-specific password required" });
  const findings = await diagnoseAs({ password: "a-wrong-password" });
  expect(findings).toMatch(/^fault: .*앱 비밀번호.*\(534 5\.7\.9 .*\) \(SMTP 설정\)$/m);
  expect(findings).not.toContain("a-wrong-password");
});

test("a sender that differs from the login gives a warning with both addresses", async () => {
  const { peer, diagnoseAs } = await startMailServer();
  peer.always({ login: 235 });
  for (const user of ["Site@Practice.example", "AppKey"])
    expect(await diagnoseAs({ user })).not.toMatch(/MAIL_FROM/);
  expect(await diagnoseAs({ user: "other@naver.com" })).toMatch(
    /^warn: 보내는 주소\(MAIL_FROM\)가 site@practice\.example인데 로그인은 other@naver\.com/m,
  );
});

test.each([
  ["the environment", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }, ""],
  [".env", {}, "NODE_TLS_REJECT_UNAUTHORIZED=0"],
])("certificates are checked although %s switches the checks off [94]", async (_, given, line) => {
  const { peer } = await startMailServer({ offersStartTls: true });
  const cwd = makeTemporaryFolder();
  // 0.0.0.0 leads to this machine too, but without the exceptions for a loopback address.
  const settings = Object.entries(mailSettings(peer.mailServer("0.0.0.0"))).map((each) =>
    each.join("="),
  );
  writeFileSync(join(cwd, ".env"), [...settings, line].join("\n"));
  const env = { NODE_ENV: "test" as const, ...given };
  const { stdout } = await runProgram("cli/doctor.ts", [], { cwd, env });
  expect(stdout).toMatch(/^\[고장\] .*인증서/m);
  expect(stdout).toMatch(/^\[주의\] NODE_TLS_REJECT_UNAUTHORIZED: /m);
  expect(peer.sentPasswords).toEqual([]);
});
