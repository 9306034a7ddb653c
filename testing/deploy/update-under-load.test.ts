/** Tests updates while applications come in. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Host, installHost, LONG_TEST } from "#testing/deploy/host.ts";
import { renameColumn } from "#testing/deploy/next-version.ts";

/** Sends applications until the returned function is called. `numbers`: those that the site has acknowledged. */
function sendApplications(host: Host) {
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
async function expectStored(host: Host, numbers: readonly string[], unanswered: number) {
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
