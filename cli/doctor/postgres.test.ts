import { afterAll, beforeAll, expect, test } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import { createDatabase, PostgresServer } from "#testing/peers/postgres.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

test("PostgreSQL: before the first start, at work, and gone", async () => {
  const config = parseConfig({ DATABASE_URL: await createDatabase(server.url) });
  const look = async () => (await examineDatabase(config)).finding;
  expect(await look()).toMatchObject({
    level: "ok",
    sentence: "데이터베이스는 아직 없고, 처음 시작할 때 만들어집니다.",
  });

  const store = openStore(config);
  await store.accept(aNewApplication());
  await store.close();
  expect(await examineDatabase(config)).toMatchObject({
    finding: { level: "ok", sentence: "데이터베이스가 온전하고 신청을 저장할 수 있습니다." },
    state: { newestAt: TEST_NOW },
  });

  await server.kill();
  expect(await look()).toMatchObject({
    level: "fault",
    sentence: expect.stringContaining("DATABASE_URL"),
  });
}, 60_000);
