import { expect, test } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import { createDatabase, dropDatabase } from "#testing/peers/postgres.ts";
import { aNewApplication, postgresUrl } from "#testing/temporary-store.ts";

test("PostgreSQL: at work, and out of reach", async () => {
  const url = await createDatabase(postgresUrl ?? "");
  const config = parseConfig({ DATABASE_URL: url });
  const store = openStore(config);
  await store.accept(aNewApplication());
  await store.close();
  expect(await examineDatabase(config)).toMatchObject({
    finding: { level: "ok", sentence: "데이터베이스가 온전하고 신청을 저장할 수 있습니다." },
  });
  await dropDatabase(postgresUrl ?? "", url);

  const nobodyListens = parseConfig({ DATABASE_URL: url.replace(/:\d+\//, ":1/") });
  expect(await examineDatabase(nobodyListens)).toMatchObject({
    finding: { level: "fault", sentence: expect.stringContaining("DATABASE_URL") },
  });
});
