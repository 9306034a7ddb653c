import { readdirSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { CANARY, messagesIn, TRACES } from "#testing/canary.ts";
import { post } from "#testing/client.ts";
import { applications } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { filesWith } from "#testing/personal-data.ts";
import { Site } from "#testing/site.ts";
import { inDatabase } from "#testing/site-with-peers.ts";
import { expect, mailSettings, test } from "#testing/test.ts";

const DAY_MS = 24 * 60 * 60_000;

test("what was delivered longer ago than it is kept is nowhere in the data folder any more", async ({
  smtp,
}) => {
  const site = await Site.start();
  try {
    await post(site, "mail", asJson(CANARY));
    await post(site, "sms", asJson(CANARY));
    await eventually(() => messagesIn(site).length).toBe(2);
    await eventually(() => site.log.match(/delivery (delivered|filed)/g)?.length).toBe(2);
    await site.end("SIGTERM");
    expect(filesWith(site.dataDir, TRACES).length).toBeGreaterThanOrEqual(2);
    // What only lies in a file has reached nobody and stays: with a channel both go out.
    Object.assign(site.env, mailSettings(smtp));
    await site.startAgain();
    await eventually(() => site.log.match(/delivery done/g)?.length).toBe(2);
    await site.end("SIGTERM");

    // 91 days go by; the clock of a process cannot be moved, so the traces of time are.
    const past = Date.now() - 91 * DAY_MS;
    const database = new DatabaseSync(join(site.dataDir, "applications.db"));
    database.exec(
      `UPDATE jobs SET settled_at = ${past}; UPDATE applications SET submitted_at = ${past}`,
    );
    database.close();
    for (const path of messagesIn(site)) utimesSync(path, past / 1_000, past / 1_000);
    expect((await applications(site, "backup")).code).toBe(0);

    const day = pathToFileURL(resolve("testing/a-day-later.mjs")).href;
    Object.assign(site.env, { NODE_OPTIONS: `--import=${day}`, A_DAY_LATER: "1" });
    await site.startAgain();
    // The clock is believed after a day; each new application wakes the worker, which comes round every half minute.
    let wakes = 0;
    const logAfterWaking = async () => {
      await post(site, "mail", asJson({ name: `깨움${wakes++}`, phone: "010-1111-2222" }));
      return site.log;
    };
    await eventually(logAfterWaking, { intervals: [500] }).toContain(
      "deleted what was delivered longer ago",
    );
    // While the site runs, its journal included.
    await eventually(() => messagesIn(site)).toEqual([]);
    expect(filesWith(site.dataDir, TRACES)).toEqual([]);
    expect(readdirSync(site.dataDir)).toContain("applications.db");
  } finally {
    await site.stop();
  }
});

test("a wall clock that jumps is noted, for the doctor and for health", async () => {
  const jump = pathToFileURL(resolve("testing/a-day-later.mjs")).href;
  const site = await Site.start({ NODE_OPTIONS: `--import=${jump}`, A_DAY_LATER: "wall" });
  try {
    const notedHours = () =>
      Number(inDatabase(site, "SELECT value FROM notes WHERE name = 'clock-jump'")) / 3_600_000;
    await eventually(notedHours, { intervals: [500] }).toBeCloseTo(25, 3);
  } finally {
    await site.stop();
  }
});
