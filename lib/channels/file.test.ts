import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { beforeEach, expect, test } from "vitest";
import { deleteExpiredFiles, openFileChannel } from "#lib/channels/file.ts";
import { composeApplicationSms } from "#lib/channels/sms/text.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { machineHas } from "#testing/machine-needs.ts";
import { traceSystemCalls } from "#testing/site/system-calls.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = join(makeTemporaryFolder(), "outbox");
});

const send = (application = aStoredApplication()) =>
  openFileChannel(folder).transmit({ kind: "application", application }, "outbox", {
    signal: new AbortController().signal,
  });
const contentOf = (name: string) => readFileSync(join(folder, name));

test("a text message is written to one file in a private folder", async () => {
  expect(await send()).toEqual({ outcome: "delivered" });
  await send();
  const name = "2026-12-01_093000_7K3M-PQ9X.txt";
  expect([readdirSync(folder), statSync(folder).mode & 0o777]).toEqual([[name], 0o700]);
  expect(String(contentOf(name))).toBe(`${composeApplicationSms(aStoredApplication()).text}\n`);
});

test.runIf(machineHas("strace"))(
  "a message file is synced before it is renamed (seen by strace) [24]",
  () => {
    const message = { kind: "application", application: aStoredApplication() };
    const script = `
    import { openFileChannel } from "#lib/channels/file.ts";
    const file = openFileChannel(${JSON.stringify(folder)});
    const { signal } = new AbortController();
    await file.transmit(${JSON.stringify(message)}, "outbox", { signal });`;
    const calls = traceSystemCalls(script, ["fsync", "rename", "renameat", "renameat2"])
      .map((call) =>
        /(fsync|rename)\w*\(.*test-.*?(txt|tmp|outbox)>?"?\) /.exec(call)?.slice(1).join(" "),
      )
      .filter((call) => call !== undefined);
    expect(calls).toEqual(["fsync tmp", "rename txt", "fsync outbox"]);
  },
);

test.each([
  ["김샾😀", aStoredApplication({ name: "김샾😀" }, "mail")],
  ["자동 입력 의심", { ...aStoredApplication(), suspicion: "flooding" as const }],
])("a mail is written as an .eml file that a mail program reads: %s", async (word, application) => {
  await send(application);
  const mail = await simpleParser(contentOf("2026-12-01_093000_7K3M-PQ9X.eml"));
  expect(mail.subject).toContain(word);
  expect(mail.text).toContain("010-1234-5678");
  expect(mail.html).toContain("tel:+821012345678");
});

test("the file channel returns a fault if its folder cannot be written", async () => {
  writeFileSync(folder, "a file where the folder should be");
  const said = {
    error: expect.stringContaining("EEXIST"),
    advice: expect.stringContaining("DATA_DIR"),
  };
  expect(await send()).toEqual({ outcome: "not-sent", fault: { ...said, about: "channel" } });
});

test("only message files that are older than the given time are deleted", async () => {
  const inStore = async () => [];
  expect(await deleteExpiredFiles(folder, 2_000_000, inStore)).toBe(0);
  mkdirSync(folder);
  // The listing has this name, but the file is gone, as if another process had renamed the file meanwhile.
  symlinkSync("renamed since", join(folder, ".new.eml.tmp"));
  for (const name of ["old.txt", "old.eml", ".old.eml.tmp", "new.txt", "old.md"]) {
    writeFileSync(join(folder, name), "");
    if (name !== "new.txt") utimesSync(join(folder, name), 1_000, 1_000);
  }
  expect(await deleteExpiredFiles(folder, 2_000_000, inStore)).toBe(3);
  expect(readdirSync(folder).toSorted()).toEqual([".new.eml.tmp", "new.txt", "old.md"]);
});
