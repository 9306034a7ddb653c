import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pagePaths } from "#lib/content/pages.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { jsonBody } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { postApplication } from "#testing/site/client.ts";
import { Site } from "#testing/site/site.ts";
import { queryDatabase } from "#testing/site/site-with-peers.ts";

const CORRUPT_DATABASE_PATTERN =
  /데이터베이스 파일이 손상되었습니다\. [^"]+백업을 복원해 주세요\./g;

test("a damaged database refuses applications only until its file is restored [7]", async () => {
  await using site = await Site.start();
  expect((await postApplication(site, "mail", jsonBody({ name: "먼저온여주" }))).status).toBe(200);
  await site.end("SIGTERM");
  const file = join(site.dataDir, "applications.db");
  const good = readFileSync(file);
  const damaged = "this is no database. ".repeat(500);
  writeFileSync(file, damaged);

  await site.startAgain(({ status }) => status === 503);
  for (const path of pagePaths) {
    expect((await fetch(site.url + path)).status, path).toBe(200);
  }
  const later = jsonBody({ name: "나중여주" });
  const refused = await postApplication(site, "mail", later);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const health = await fetch(`${site.url}/api/health`);
  expect(health.status).toBe(503);
  expect(await health.json()).toEqual({ status: "down", time: expect.any(String) });
  expect(site.log.match(CORRUPT_DATABASE_PATTERN)).toHaveLength(1);
  expect(readFileSync(file, "latin1")).toBe(damaged);

  writeFileSync(file, good);
  await eventually(async () => (await postApplication(site, "mail", later)).status).toBe(200);
  const filed = "SELECT count(*) FROM notices WHERE state = 'filed'";
  await eventually(() => queryDatabase(site, filed)).toBe(2);
  await eventually(async () => (await fetch(`${site.url}/api/health`)).status).toBe(200);
});
