import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { backup } from "#cli/applications/backup.ts";
import { done } from "#cli/applications/done.ts";
import { list } from "#cli/applications/list.ts";
import { resend } from "#cli/applications/resend.ts";
import { runCommand } from "#cli/applications/run.ts";
import { show } from "#cli/applications/show.ts";
import { testSend } from "#cli/applications/test-send.ts";
import { parseConfig } from "#lib/config.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { smsSettings } from "#testing/site/settings.ts";
import { temporaryFolder } from "#testing/storage/temporary-folder.ts";
import {
  acquireLease,
  aNewApplication,
  dueJobs,
  temporaryStore,
} from "#testing/storage/temporary-store.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "info").mockImplementation((line) => void said.push(line));
  vi.spyOn(console, "error").mockImplementation((line) => void said.push(line));
});

test.each([
  [[]],
  [["lists"]],
  [["list", "7K3MPQ9X"]],
  [["list", "--limit", "0"]],
  [["list", "--limit", "1.5"]],
  [["list", "--limit", "many"]],
  [["list", "--state", "x"]],
  [["show"]],
  [["resend", "1"]],
  [["done"]],
  [["export"]],
  [["export", "a.csv", "b.csv"]],
  [["backup", "a", "b"]],
  [["backup", "--nightly"]],
  [["forget", "nobody"]],
  [["restore"]],
  [["restore", "a", "b"]],
  [["test-send", "fax"]],
  [["health"]],
])("the arguments %j are refused with the usage and exit code 2", async (args) => {
  expect(await runCommand(args)).toBe(2);
  expect(said.join("\n")).toContain("npm run applications");
});

test("help lists every command and exits with 0", async () => {
  expect(await runCommand(["help"])).toBe(0);
  const commands = "list show resend done test-send export backup restore forget";
  for (const name of commands.split(" ")) expect(said.join("\n")).toContain(`\n${name} `);
});

test.each([
  [list, []],
  [show, ["7K3MPQ9X"]],
  [resend, ["7K3MPQ9X"]],
  [done, ["7K3MPQ9X"]],
  [backup, []],
])("a command before the first start makes no database", async (command, words) => {
  const config = parseConfig({ DATA_DIR: join(temporaryFolder(), "data") });
  const run = command.run(words, config, { limit: "20" });
  await expect(run).rejects.toThrow(`데이터베이스가 없습니다: ${config.databaseFile}`);
  expect(existsSync(config.databaseFile)).toBe(false);
});

test("a test text counts under the caps", async () => {
  await using twilio = new TwilioPeer();
  await using temporary = temporaryStore();
  const { store, folder } = temporary;
  await store.accept(aNewApplication());
  const settings = smsSettings({ url: await twilio.start() });
  await testSend.run(["sms"], parseConfig({ DATA_DIR: folder, ...settings }), {});
  const [job] = await dueJobs(store);
  await acquireLease(store, "a worker");
  const leaving = { channel: "sms", recipients: ["+821099990000"], segments: 1 } as const;
  const earliest = vi.fn(() => Number.POSITIVE_INFINITY);
  await store.recordAttempts("a worker", job?.id ?? 0, { ...leaving, now: Date.now(), earliest });
  expect(earliest).toHaveBeenCalledWith([expect.objectContaining({ segments: 2 })]);
});
