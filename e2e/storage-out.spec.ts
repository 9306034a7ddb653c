import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { post } from "#testing/client.ts";
import { applications, healthOnHost } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { inDatabase } from "#testing/site-with-peers.ts";
import { expect, test } from "#testing/test.ts";

const FAULTS = [
  {
    what: "damaged",
    harm: (file: string) => writeFileSync(file, "this is no database. ".repeat(500)),
    sentence: /The database applications\.db is not a database: .*restore the last backup/,
  },
  {
    what: "emptied",
    harm: (file: string) => truncateSync(file),
    sentence: /The database applications\.db is empty .*put it back from a backup/,
  },
  {
    what: "missing",
    harm: (file: string) => rmSync(file),
    sentence: /The database applications\.db is missing .*put it back from a backup/,
  },
];

const contentOf = (file: string) => {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return undefined;
  }
};

test("a database that is damaged, emptied or missing at the start leaves the pages up, and is used again once it is put back", async () => {
  test.setTimeout(120_000);
  const site = await Site.start();
  try {
    expect((await post(site, "mail", asJson({ name: "먼저온여주" }))).status).toBe(200);
    for (const [index, { what, harm, sentence }] of FAULTS.entries()) {
      await site.end("SIGTERM");
      const file = join(site.dataDir, "applications.db");
      const good = readFileSync(file);
      harm(file);
      const harmed = contentOf(file);

      await site.startAgain(({ status }) => status === 503);
      for (const path of ["/", "/pricing", "/gallery", "/contact"]) {
        expect((await fetch(site.url + path)).status, what).toBe(200);
      }
      const later = asJson({ name: `나중여주${index}` });
      const refused = await post(site, "mail", later);
      expect(refused.status, what).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      const health = await fetch(`${site.url}/api/health`);
      expect(health.status).toBe(503);
      expect(await health.json()).toEqual({ status: "down", time: expect.any(String) });
      const told = await applications(site, "health");
      expect(told.code).toBe(1);
      expect(told.stdout).toMatch(/신청을 접수할 수 없습니다\.[\s\S]*데이터베이스 파일이/);
      expect(site.log.match(new RegExp(sentence, "g")), what).toHaveLength(1);
      expect(contentOf(file)).toBe(harmed);

      writeFileSync(file, good);
      await eventually(async () => (await post(site, "mail", later)).status, what).toBe(200);
      const filed = "SELECT count(*) FROM deliveries WHERE state = 'filed'";
      await eventually(() => inDatabase(site, filed), what).toBe(index + 2);
      expect(await healthOnHost(site)).toMatchObject({ status: "ok" });
    }
  } finally {
    await site.stop();
  }
});
