import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteMessagesBefore, openFileCarrier } from "#lib/channels/file.ts";
import { smsText } from "#lib/channels/sms/text.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { canTrace, systemCallsOf } from "#testing/system-calls.ts";

let base: string;
let folder: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "outbox-"));
  folder = join(base, "outbox");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const carrier = () =>
  openFileCarrier({ folder, mail: { from: "site@localhost", to: ["owner@localhost"] } });
const send = (...application: Parameters<typeof aStoredApplication>) =>
  carrier().write(aStoredApplication(...application));

test("an SMS lands as a text file named by date and number, without personal data", async () => {
  expect(await send()).toBeUndefined();
  expect(readdirSync(folder)).toEqual(["2026-12-01_093000_7K3M-PQ9X.txt"]);
  expect(readFileSync(join(folder, "2026-12-01_093000_7K3M-PQ9X.txt"), "utf8")).toBe(
    `${smsText(aStoredApplication())}\n`,
  );
});

test.runIf(canTrace)(
  "a message has its name only once all of it is on the disk, and then the name is too (seen by strace)",
  () => {
    const script = `
    import { openFileCarrier } from "#lib/channels/file.ts";
    const mail = { from: "site@localhost", to: ["owner@localhost"] };
    await openFileCarrier({ folder: ${JSON.stringify(folder)}, mail }).write(${JSON.stringify(aStoredApplication())});`;
    const names = ["fsync", "rename", "renameat", "renameat2"];
    const calls = systemCallsOf(script, names)
      .map((call) =>
        /(fsync|rename)\w*\(.*outbox.*?(txt|tmp|outbox)>?"?\) /.exec(call)?.slice(1).join(" "),
      )
      .filter((call) => call !== undefined);
    expect(calls).toEqual(["fsync tmp", "rename txt", "fsync outbox"]);
  },
);

test("a mail lands as an .eml that a mail program reads", async () => {
  await send({ name: "김샾😀" }, "mail");
  const mail = await simpleParser(readFileSync(join(folder, "2026-12-01_093000_7K3M-PQ9X.eml")));
  expect(mail.subject).toContain("김샾😀");
  expect(mail.text).toContain("010-1234-5678");
  expect(mail.html).toContain("tel:+821012345678");
});

test("a repeat leaves one file", async () => {
  await send();
  await send();
  expect(readdirSync(folder)).toHaveLength(1);
});

test("a folder that cannot be written is tried again, and leaves no half message", async () => {
  writeFileSync(folder, "a file where the folder should be");
  expect(await send()).toEqual({
    error: expect.stringContaining("EEXIST"),
    advice: expect.stringContaining("DATA_DIR"),
  });
});

const noneStored = async () => [];

test("a message stays as long as its application is in the store", async () => {
  await send();
  const [name = ""] = readdirSync(folder);
  utimesSync(join(folder, name), 1_000, 1_000);
  const asked: string[] = [];
  const stored = async (applicationIds: string[]) => {
    asked.push(...applicationIds);
    return applicationIds;
  };
  expect(await deleteMessagesBefore(folder, 2_000_000, stored)).toBe(0);
  expect(asked).toEqual(["7K3MPQ9X"]);
  expect(await deleteMessagesBefore(folder, 2_000_000, noneStored)).toBe(1);
});

test("messages from before a time are deleted, later ones and other files stay", async () => {
  mkdirSync(folder);
  for (const name of ["old.txt", "old.eml", ".old.eml.tmp", "new.txt", "old.md"]) {
    writeFileSync(join(folder, name), "");
    if (name !== "new.txt") utimesSync(join(folder, name), 1_000, 1_000);
  }
  expect(await deleteMessagesBefore(folder, 2_000_000, noneStored)).toBe(3);
  expect(readdirSync(folder).toSorted()).toEqual(["new.txt", "old.md"]);
});

test("a message that gets its name while the folder is swept stops nothing", async () => {
  mkdirSync(folder);
  // As it stands between the listing and the look: a name with nothing behind it.
  symlinkSync("renamed since", join(folder, ".new.eml.tmp"));
  writeFileSync(join(folder, "old.txt"), "");
  utimesSync(join(folder, "old.txt"), 1_000, 1_000);
  expect(await deleteMessagesBefore(folder, 2_000_000, noneStored)).toBe(1);
});

test("without a folder there is nothing to delete", async () => {
  expect(await deleteMessagesBefore(folder, Date.now(), noneStored)).toBe(0);
});

test("what looks automated lands as a mail with its mark, even when a text message was asked for", async () => {
  await carrier().write({ ...aStoredApplication(), suspicion: "flooding" });
  const [name = ""] = readdirSync(folder);
  expect(name).toMatch(/\.eml$/);
  const mail = await simpleParser(readFileSync(join(folder, name)));
  expect(mail.subject).toContain("자동 입력 의심");
});
