import { join } from "node:path";
import type { CompiledQuery } from "kysely";
import { expect, test, vi } from "vitest";
import { listDueMessages } from "#lib/storage/queries/messages.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const DUE = {
  channel: "sms",
  recipients: ["1"],
  now: 1,
  latest: 2,
  exceptIds: [],
  limit: 4,
} as const;

test("SQLite finds due messages by an index, without sorting all of them", async () => {
  const file = join(makeTemporaryFolder(), "plan.db");
  const database = await openSqlite(file, { tables: "create" });
  const plan = await database.read(async (db) => {
    const execute = vi.spyOn(db.getExecutor(), "executeQuery");
    await listDueMessages(db, DUE);
    const [query] = execute.mock.lastCall ?? [];
    const { sql: text = "", parameters = [] }: Partial<CompiledQuery> = query ?? {};
    const explained = { ...query, sql: `explain query plan ${text}`, parameters };
    return (await db.executeQuery<{ detail: string }>(explained as CompiledQuery)).rows;
  });
  await database.close();
  const steps = plan.map(({ detail }) => detail);
  expect(steps[0]).toContain("USING INDEX messages_due");
  expect(steps.join()).not.toContain("TEMP B-TREE");
});
