/** The owner's commands on a store as the site leaves it. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { backup, restore } from "#cli/applications/backup.ts";
import type { Command } from "#cli/applications/command.ts";
import { list } from "#cli/applications/list.ts";
import { resend } from "#cli/applications/resend.ts";
import { show } from "#cli/applications/show.ts";
import { examineDatabase } from "#cli/doctor/database.ts";
import type { SendEnd } from "#lib/channels/carrier.ts";
import { type Config, parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import { oneTurn, RECIPIENTS } from "#testing/one-turn.ts";
import { aNewApplication, type TemporaryStore, temporaryStore } from "#testing/temporary-store.ts";

let said = "";
beforeEach(() => {
  said = "";
  vi.spyOn(console, "info").mockImplementation((line) => {
    said += `${line}\n`;
  });
});

const NUMBER = "7K3MPQ9X";
const SITE = { SITE_URL: "https://practice.example", MAIL_TO: RECIPIENTS.mail };
const MAIL = { ...SITE, SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "site@practice.example" };
const refused: SendEnd = {
  outcome: "refused",
  fault: { error: "554 5.7.1 no", advice: "받는 주소를 확인해 주세요.", about: "recipient" },
};
const unknown: SendEnd = {
  outcome: "unknown",
  fault: { error: "no answer", advice: "메일함을 확인해 주세요.", about: "channel" },
};

const here = () => temporaryStore(() => NUMBER);
function configOf({ folder }: TemporaryStore, env: Record<string, string> = MAIL) {
  return parseConfig({ DATA_DIR: folder, ...env });
}
async function output(
  command: Command,
  words: string[],
  home: TemporaryStore,
  options: Record<string, unknown> = { limit: "20" },
): Promise<string> {
  said = "";
  await command.run(words, configOf(home), options);
  return said;
}
async function urgent(config: Config): Promise<string[]> {
  const { urgent: findings = [] } = await examineDatabase(config);
  return findings.map(({ sentence }) => sentence);
}
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

test("list says first that nothing gets through, and why; so does the doctor", async () => {
  await using home = here();
  await home.store.accept(aNewApplication({ route: "mail", now: minutesAgo(20) }));
  await oneTurn(home, { mail: refused }, minutesAgo(20));
  const [first, second] = (await output(list, [], home)).split("\n");
  expect(first).toMatch(/^20분째 아무것도 전달되지 않고 있습니다/);
  expect(second).toMatch(/owner@practice\.example에 메일 전달이 되지 않습니다/);
  expect(said).toMatch(/7K3M-PQ9X .* 대기 /);
  expect(await urgent(configOf(home))).toEqual([first, second]);
});

test("list is calm where all has arrived, and names what carried it", async () => {
  await using home = here();
  await home.store.accept(aNewApplication({ route: "mail", now: Date.now() }));
  await oneTurn(home, { mail: { outcome: "delivered" } }, Date.now());
  expect(await output(list, [], home)).toMatch(/^접수번호.*\n7K3M-PQ9X .* 전달됨 \(메일\) /);
  expect(said).toContain("기다리는 신청이 없습니다.");
});

test("list and doctor say what was only filed, also on a machine that is tried out", async () => {
  await using home = here();
  await home.store.accept(aNewApplication());
  await oneTurn(home, {});
  const told = /파일로 보관한 신청이 1건.*12월 1일\(화\) 오전 9:30에 접수/;
  await list.run([], configOf(home, {}), { limit: "20" });
  expect(said).toMatch(told);
  expect(await urgent(configOf(home, {}))).toEqual([expect.stringMatching(told)]);
});

test("list shows as many as are wanted, of the state that is wanted, and says that there are more", async () => {
  await using home = temporaryStore();
  await home.store.accept(aNewApplication());
  await home.store.accept(aNewApplication({ idempotencyKey: "another" }));
  const rows = async (options: object) => {
    const lines = (await output(list, [], home, { limit: "20", ...options })).split("\n");
    return lines.filter((line) => line.includes("홍길동")).length;
  };
  expect(await rows({})).toBe(2);
  expect(said).not.toContain("--limit");
  expect(await rows({ limit: "1" })).toBe(1);
  expect(said).toContain("최근 1건만 보입니다");
  expect([await rows({ state: "open" }), await rows({ state: "done" })]).toEqual([2, 0]);
});

test("show tells each message with what the provider said, and the last fault until it is sent anew", async () => {
  await using home = here();
  await home.store.accept(aNewApplication({ route: "mail" }));
  await oneTurn(home, { mail: refused });
  expect(await output(show, [NUMBER], home)).toMatch(
    /메일 +owner@practice\.example +거부됨 .* 554 5\.7\.1 no/,
  );
  expect(await output(show, [NUMBER], home)).toContain("마지막 오류");
  await output(resend, [NUMBER], home);
  expect(await output(show, [NUMBER], home)).not.toContain("마지막 오류");
});

test("resend says when: at once, after a doubt in 15 minutes, with --again for what has arrived", async () => {
  await using home = here();
  await home.store.accept(aNewApplication({ route: "mail", now: minutesAgo(1) }));
  await oneTurn(home, { mail: refused }, minutesAgo(1));
  expect(await output(resend, [NUMBER], home)).toMatch(/30초 안에 나갑니다/);
  await oneTurn(home, { mail: unknown }, Date.now());
  const doubtful = await output(resend, [NUMBER], home);
  expect(doubtful).toMatch(/메일은 .+15분이 지난 뒤 한 번만 더/);
  expect(doubtful).not.toContain("30초");
  await oneTurn(home, { mail: { outcome: "delivered" } }, Date.now() + 16 * 60_000);
  await expect(output(resend, [NUMBER], home)).rejects.toThrow(/이미 전달되었습니다.*--again/);
  expect(await output(resend, [NUMBER], home, { again: true })).toMatch(/지금 보냅니다/);
});

test("a backup is put back where the site has stopped, and what was there is kept", async () => {
  await using home = here();
  await home.store.accept(aNewApplication());
  await output(backup, [], home);
  const [name = ""] = readdirSync(join(home.folder, "backups"));
  const file = join(home.folder, "backups", name);
  expect(await home.store.findNote("backup")).toMatchObject({ value: name });
  const config = configOf(home);
  await expect(restore.run([file], config, {})).rejects.toThrow("사이트가 켜져 있어");
  await home.store.close();
  // As a crash leaves it: another database's journal.
  writeFileSync(config.databaseFile, "damaged");
  writeFileSync(`${config.databaseFile}-wal`, "stale");
  expect(await output(restore, [file], home)).toMatch(/^신청 1건이 들어 있는 백업을 되돌렸습니다/);
  expect(existsSync(`${config.databaseFile}-wal`)).toBe(false);
  expect(readdirSync(join(home.folder, "backups"))).toContainEqual(
    expect.stringMatching(/^before-restore.*\.db$/),
  );
  const store = openStore(config);
  expect(await store.list({})).toMatchObject([{ applicationId: NUMBER }]);
  await store.close();
});

test("what is no sound backup of ours changes nothing, nor does PostgreSQL", async () => {
  await using home = here();
  await home.store.accept(aNewApplication());
  await home.store.close();
  const other = join(home.folder, "other.db");
  writeFileSync(other, "this is no database".repeat(100));
  const before = readdirSync(home.folder).toSorted();
  await expect(output(restore, [other], home)).rejects.toThrow("손상");
  await expect(output(restore, [`${other}x`], home)).rejects.toThrow("파일이 없습니다");
  const postgres = configOf(home, { DATABASE_URL: "postgres://site@127.0.0.1:1/site" });
  for (const command of [backup, restore])
    await expect(command.run([other], postgres, {})).rejects.toThrow(/pg_dump.*\n.*pg_restore/);
  expect(readdirSync(home.folder).toSorted()).toEqual(before);
});

test("a backup path that was mistyped alarms nobody; one of the site's own that fails does", async () => {
  await using home = here();
  await home.store.counts(Date.now());
  await expect(output(backup, [join(home.folder, "none", "a.db")], home)).rejects.toThrow();
  expect(await home.store.findNote("backup-failure")).toBeUndefined();
  writeFileSync(join(home.folder, "backups"), "a file where the folder should be");
  await expect(output(backup, [], home)).rejects.toThrow();
  expect(await home.store.findNote("backup-failure")).toBeDefined();
});
