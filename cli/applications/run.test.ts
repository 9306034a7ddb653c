import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { backupCommand } from "#cli/applications/backup.ts";
import { CommandError } from "#cli/applications/command.ts";
import { doneCommand } from "#cli/applications/done.ts";
import { exportCommand } from "#cli/applications/export.ts";
import { listCommand } from "#cli/applications/list.ts";
import { resendCommand } from "#cli/applications/resend.ts";
import { runCommand } from "#cli/applications/run.ts";
import { showCommand } from "#cli/applications/show.ts";
import { testSendCommand } from "#cli/applications/test-send.ts";
import { MINUTE } from "#lib/application/durations.ts";
import { parseConfig } from "#lib/config.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { listCharges } from "#lib/storage/queries/messages.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { mailSettings, smsSettings } from "#testing/site/settings.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";
import { aNewApplication, openTemporaryStore, TEST_NOW } from "#testing/storage/temporary-store.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "info").mockImplementation((line) => void said.push(line));
  vi.spyOn(console, "error").mockImplementation((line) => void said.push(line));
});

const REFUSED_ARGUMENTS = [
  ...["", "lists", "list --limit 0", "list --limit 1.5", "list --limit many"],
  ...["list --state x", "show", "resend 1", "done", "export", "export a.csv b.csv", "backup a b"],
  ...["backup --nightly", "forget nobody", "restore", "restore a b", "test-send fax"],
  ...["test-send sms mail", "health"],
];
test.each(REFUSED_ARGUMENTS)(
  "the arguments '%s' are refused with the command's usage",
  async (typed) => {
    expect(await runCommand(typed.split(" ").filter(Boolean))).toBe(2);
    expect(said.join("\n")).toContain("npm run applications");
  },
);

const { dataDir } = parseConfig({});
const systemError = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: of the system`), { code, syscall: "open", path });

test.each([
  [new CommandError("이미 있습니다."), /^이미 있습니다\.$/],
  [new StorageUnavailable("디스크가 가득 찼습니다.", "full"), /^디스크가 가득 찼습니다/],
  [systemError("ENOSPC"), /^디스크에 .*\(df -h\).*\(df -i\).*\nENOSPC: of the system$/],
  [systemError("EDQUOT"), /^디스크에 빈 자리가 없거나/],
  [systemError("EACCES", join(dataDir, "a.db")), /^데이터 폴더에 .+chown -R/],
  [systemError("EPERM", join(dataDir, "a.db")), /^데이터 폴더에 .+chown -R/],
  [systemError("EACCES", "/elsewhere/data/a.db"), /^파일을 읽거나 쓰지 못했습니다\./],
  [systemError("EISDIR", join(dataDir, "a.db")), /^파일을 읽거나 쓰지 못했습니다\./],
  [systemError("EACCES"), /^파일을 읽거나 쓰지 못했습니다\./],
  [new Error("odd"), /^데이터베이스를 .+\(Error: odd\)$/],
])("a command that throws %s prints %s", async (error, sentence) => {
  vi.spyOn(listCommand, "run").mockRejectedValue(error);
  expect(await runCommand(["list"])).toBe(1);
  expect(said.join("\n")).toMatch(sentence);
});

test.each([new TypeError("x is not a function"), "a thrown text"])(
  "runCommand rethrows the programming error %s",
  async (error) => {
    vi.spyOn(listCommand, "run").mockRejectedValue(error);
    await expect(runCommand(["list"])).rejects.toBe(error);
  },
);

test("help lists every command", async () => {
  expect(await runCommand(["help"])).toBe(0);
  const commands = "list show resend done test-send export backup restore forget";
  for (const name of commands.split(" ")) expect(said.join("\n")).toContain(`\n${name} `);
});

test.each([
  [listCommand, []],
  [showCommand, ["7K3MPQ9X"]],
  [resendCommand, ["7K3MPQ9X"]],
  [doneCommand, ["7K3MPQ9X"]],
  [backupCommand, []],
])("the command '$usage' makes no database before the first start", async (command, words) => {
  const config = parseConfig({ DATA_DIR: join(makeTemporaryFolder(), "data") });
  const run = command.run(words, config, { limit: "20" });
  await expect(run).rejects.toThrow(`데이터베이스가 없습니다: ${config.databaseFile}`);
  expect(existsSync(config.databaseFile)).toBe(false);
});

test("resend names the reason why it sends nothing", async () => {
  await using temporary = openTemporaryStore(() => "7K3MPQ9X");
  await temporary.store.accept(aNewApplication());
  await deliverWith(temporary, { sms: { outcome: "accepted", providerId: "SM1" } });
  const config = parseConfig({ DATA_DIR: temporary.folder });
  for (const [number, refusal] of [
    ["7K3MPQ9X", "도착 확인이나 나머지 발송을 기다리고"],
    ["2222AAAA", "그런 접수번호의 신청이 없습니다"],
    ["7K3M-PQ9O", /여덟 글자.* O, /],
  ] as const)
    await expect(resendCommand.run([number], config, {})).rejects.toThrow(refusal);
});

test("export writes all applications to a private CSV file", async () => {
  await using temporary = openTemporaryStore();
  await temporary.store.accept(aNewApplication());
  await deliverWith(temporary, { sms: { outcome: "delivered" } });
  const later = { route: "mail", now: TEST_NOW + MINUTE, suspicion: "flooding" } as const;
  await temporary.store.accept(aNewApplication(later));
  const config = parseConfig({ DATA_DIR: temporary.folder });
  const file = join(temporary.folder, "table.csv");
  await exportCommand.run([file], config, {});
  expect(said).toEqual([`신청 2건을 저장했습니다: ${file}`, expect.stringMatching(/개인정보/)]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8").split("\r\n")).toEqual([
    expect.stringMatching(/^\ufeff"접수번호","접수 시각","이름",/),
    expect.stringMatching(
      /^"[2-9A-Z]{4}-[2-9A-Z]{4}","2026-12-01 09:30",.+,"홈","문자","전달됨","2026-12-01 09:30","",""$/,
    ),
    expect.stringMatching(
      /,"2026-12-01 09:31",.+,"연수 신청","","대기","","","같은 곳에서 여러 건"$/,
    ),
    "",
  ]);
  await expect(exportCommand.run([file], config, {})).rejects.toThrow("이미 있어");
});

test("test-send reports the outcome of one labelled message", async () => {
  await using twilio = new TwilioPeer();
  await using smtp = new SmtpPeer();
  await using temporary = openTemporaryStore();
  await Promise.all([twilio.start(), smtp.start()]);
  const { store, folder } = temporary;
  await store.accept(aNewApplication());
  const channels = { ...smsSettings(twilio), ...mailSettings(smtp.mailServer()) };
  const config = parseConfig({ DATA_DIR: folder, ...channels });
  // A text that Twilio does not take costs nothing.
  twilio.next({ status: 429 });
  await expect(testSendCommand.run(["sms"], config, {})).rejects.toThrow(
    "모두에게 보내지는 못했습니다",
  );
  await testSendCommand.run(["sms"], config, {});
  expect(said.join("\n")).toMatch(/도착했습니다\.\n.*\[국제발신\].*006.*스팸 보관함.*저장/);
  await testSendCommand.run(["mail"], config, {});
  expect(said.join("\n")).toMatch(/메일을 받았습니다/);
  expect(twilio.messages).toMatchObject([{ body: expect.stringContaining("[시험]") }]);
  expect(smtp.mails.map(({ parsed }) => parsed.subject)).toEqual([
    expect.stringContaining("[시험]"),
  ]);
  const charges = await store.change((trx) => listCharges(trx, Date.now()));
  expect(charges).toMatchObject([{ segments: 2 }]);
});
