/** Tests deploy/update.sh on a host of testing/deploy/stand-in-host.ts. See also power-cut.test.ts. */
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { renameColumn } from "#testing/deploy/next-version.ts";
import { git, installHost, LONG_TEST, type StandInHost } from "#testing/deploy/stand-in-host.ts";

/** Sends applications until the returned function is called. `numbers`: those that the site has acknowledged. */
function sendApplications(host: StandInHost) {
  const numbers: string[] = [];
  const refusals: number[] = [];
  let unanswered = 0;
  let isOver = false;
  const sending = (async () => {
    for (; !isOver; await pause(20)) {
      const { status, said } = await host.apply();
      if (status === 200) numbers.push(said);
      else if (status === 0) unanswered++;
      else refusals.push(status);
    }
  })();
  const end = async () => {
    isOver = true;
    await sending;
    return { numbers, refusals, unanswered };
  };
  return end;
}

/**
 * Expects these numbers in the store, and at most one more application for each lost answer: a version may have
 * stored an application before its stop cut off the answer.
 */
async function expectStored(host: StandInHost, numbers: readonly string[], unanswered: number) {
  const stored = new Set(await host.list());
  expect(numbers.filter((number) => !stored.has(number))).toEqual([]);
  expect(stored.size - numbers.length).toBeLessThanOrEqual(unanswered);
}

test(
  "an update that renames a column refuses no application and loses none",
  LONG_TEST,
  async () => {
    const host = await installHost();
    host.publish({ second: "" }, renameColumn);
    const end = sendApplications(host);
    const { status, stderr } = await host.update();
    await expect.poll(() => host.list()).toBeDefined();
    const { numbers, refusals, unanswered } = await end();
    expect([status, stderr, refusals]).toEqual([0, "", []]);
    expect(host.has("second")).toBe(true);
    await expectStored(host, numbers, unanswered);
    expect(numbers.length).toBeGreaterThan(5);
    host.publish({ third: "" });
    expect(await host.update()).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(join(host.home, "versions"))).toHaveLength(2);
    await expectStored(host, numbers, unanswered);
  },
);

test(
  "an update to a version that never answers is undone without a loss [89]",
  LONG_TEST,
  async () => {
    const host = await installHost();
    host.publish({ unwell: "" }, renameColumn);
    const end = sendApplications(host);
    const { status, stderr } = await host.update({ patience: 10 });
    await expect.poll(() => host.list()).toBeDefined();
    const { numbers, unanswered } = await end();
    expect(stderr).toMatch(/Going back.*earlier version runs again, on its own database/s);
    expect(status).toBe(1);
    expect(host.has("unwell")).toBe(false);
    await expectStored(host, numbers, unanswered);
    expect(numbers.length).toBeGreaterThan(5);
  },
);

test(
  "an update to a faulty version leaves the earlier version running [89]",
  LONG_TEST,
  async () => {
    const host = await installHost();
    for (const [files, sentence] of [
      [{ "no-build": "" }, /could not be built/],
      [{ "no-start": "" }, /does not start/],
      [{ "cli/doctor.ts": "process.exit(1)" }, /doctor of the new version finds a fault/],
    ] as const) {
      host.publish(files);
      const { stderr, status } = await host.update();
      expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
      expect((await host.apply()).status).toBe(200);
      expect(readdirSync(join(host.home, "versions"))).toHaveLength(1);
      expect(readdirSync(host.home)).not.toContain("building");
      const [name = ""] = Object.keys(files);
      host.publish({ [name]: name === "cli/doctor.ts" ? readFileSync(name, "utf8") : undefined });
    }
  },
);

test("an update stops if the earlier version cannot make a backup", LONG_TEST, async () => {
  const host = await installHost();
  host.publish({ second: "" });
  // A file in place of the folder makes the backup fail, as a full disk does.
  writeFileSync(join(host.home, "data/backups"), "");
  expect(await host.update()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("there is no backup; the site runs on"),
  });
  await expect.poll(async () => (await host.apply()).status).toBe(200);
  rmSync(join(host.home, "data/backups"));
  expect(await host.update()).toMatchObject({ status: 0, stderr: "" });
});

test(
  "an update keeps the operator's commits, and refuses to lose other changes",
  LONG_TEST,
  async () => {
    const host = await installHost();
    const prices = join(host.site, "prices");
    git(host.site, "switch", "--quiet", "--create", "our-site");
    writeFileSync(prices, "ours");
    git(host.site, "add", "--all");
    const expectRefused = async (sentence: RegExp) =>
      expect(await host.update()).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(sentence),
      });
    await expectRefused(/not committed.*prices/s);
    git(host.site, "commit", "--quiet", "--message", "Our prices");
    expect(await host.update()).toMatchObject({ status: 0, stderr: "" });
    expect(host.has("prices")).toBe(true);
    host.publish({ prices: "theirs" });
    await expectRefused(/changed the same lines. Merge origin\/HEAD by hand/);
    expect(readFileSync(prices, "utf8")).toBe("ours");
    host.publish({ prices: undefined, second: "" });
    expect(await host.update()).toMatchObject({ status: 0, stderr: "" });
    expect([host.has("prices"), host.has("second")]).toEqual([true, true]);
    const current = readlinkSync(join(host.home, "current"));
    writeFileSync(join(host.home, current, ".env"), "DATA_DIR=./data");
    host.publish({ third: "" });
    await expectRefused(/versions\/\w+\/data would stay behind at an update/);
  },
);

test("an unhealthy site can be updated", LONG_TEST, async () => {
  const host = await installHost();
  const current = readlinkSync(join(host.home, "current"));
  const server = join(host.home, current, "server/main.ts");
  const working = readFileSync(server, "utf8");
  writeFileSync(server, working.replace("isUnwell =", "isUnwell = true ||"));
  host.restart();
  await expect.poll(async () => (await host.apply()).status).toBe(503);
  host.publish({ second: "" });
  expect(await host.update()).toMatchObject({ status: 0, stderr: "" });
  await expect.poll(async () => (await host.apply()).status).toBe(200);
});
