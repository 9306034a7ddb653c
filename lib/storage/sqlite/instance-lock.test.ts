import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";

const LEASE = { now: TEST_NOW, leaseMs: 120_000, limit: 8 };
let folder: string;
let databaseFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "instance-lock-"));
  databaseFile = join(folder, "applications.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Another process with one delivery under way. */
async function processWithALease() {
  const script = `
    import { openStore } from "${resolve("lib/storage/open.ts")}";
    const store = openStore({ databaseFile: ${JSON.stringify(databaseFile)} });
    await store.accept(${JSON.stringify(aNewApplication())});
    const leased = await store.leaseDue(${JSON.stringify(LEASE)});
    console.info(leased.length);
    // Holds on to the store: what nobody refers to is closed by the garbage collector.
    setInterval(() => store, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  expect(String(said).trim()).toBe("1");
  return child;
}

test("what a living process is sending is not taken from it; what a killed one had is due at once", async () => {
  const other = await processWithALease();
  const store = openStore({ databaseFile });
  expect(await store.releaseLeases(TEST_NOW)).toEqual([]);
  expect(await store.leaseDue(LEASE)).toEqual([]);

  const gone = once(other, "exit");
  other.kill("SIGKILL");
  await gone;
  expect(await store.releaseLeases(TEST_NOW)).toHaveLength(1);
  expect(await store.leaseDue(LEASE)).toHaveLength(1);
  await store.close();
});

test("one that came while another was there is seen by the next, once the other is gone", async () => {
  const [first, second, third] = [1, 2, 3].map(() => openStore({ databaseFile }));
  if (!first || !second || !third) throw new Error("three stores");
  expect(await first.releaseLeases(TEST_NOW)).toEqual([]);
  await second.releaseLeases(TEST_NOW);
  await first.close();

  await second.accept(aNewApplication());
  expect(await second.leaseDue(LEASE)).toHaveLength(1);
  expect(await third.releaseLeases(TEST_NOW)).toEqual([]);
  await second.close();
  expect(await third.releaseLeases(TEST_NOW)).toHaveLength(1);
  await third.close();
});
