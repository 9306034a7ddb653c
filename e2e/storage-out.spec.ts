import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { post } from "#testing/client.ts";
import { applications, healthOnHost } from "#testing/command-line.ts";
import { asJson } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
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

for (const { what, harm, sentence } of FAULTS) {
  test(`a database that is ${what} at the start leaves the pages up, and is used again once it is put back`, async () => {
    const site = await Site.start();
    try {
      expect((await post(site, "mail", asJson({ name: "먼저온여주" }))).status).toBe(200);
      await site.end("SIGTERM");
      const file = join(site.dataDir, "applications.db");
      const good = readFileSync(file);
      harm(file);
      const harmed = contentOf(file);

      await site.startAgain(({ status }) => status === 503);
      for (const path of ["/", "/pricing", "/gallery", "/contact"]) {
        expect((await fetch(site.url + path)).status).toBe(200);
      }
      const refused = await post(site, "mail", asJson({ name: "나중여주" }));
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      const health = await fetch(`${site.url}/api/health`);
      expect(health.status).toBe(503);
      expect(await health.json()).toEqual({ status: "down", time: expect.any(String) });
      const told = await applications(site, "health");
      expect(told.code).toBe(1);
      expect(told.stdout).toMatch(/신청을 접수할 수 없습니다\.[\s\S]*데이터베이스 파일이/);
      expect(site.log.match(new RegExp(sentence, "g"))).toHaveLength(1);
      expect(contentOf(file)).toBe(harmed);

      writeFileSync(file, good);
      await expect
        .poll(async () => (await post(site, "mail", asJson({ name: "나중여주" }))).status)
        .toBe(200);
      await expect
        .poll(() => healthOnHost(site))
        .toMatchObject({ status: "ok", deliveries: { filed: 2 } });
    } finally {
      await site.stop();
    }
  });
}
