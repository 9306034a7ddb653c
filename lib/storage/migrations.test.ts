import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Database, Dialect } from "#lib/storage/database.ts";
import { migrate, migrations } from "#lib/storage/migrations.ts";
import { openStore } from "#lib/storage/open.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const dialect: Dialect = { clock: "0", identity: "primary key" };

async function opened(file: string, use: (database: Database) => Promise<void>) {
  const database = await openSqlite(file);
  await use(database).finally(() => database.close());
}

function rawly<Result>(file: string, use: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const versionOf = (file: string) =>
  rawly(file, (database) => database.prepare("SELECT version FROM schema_version").all());

test("a step reads no code that changes later: an old database would get other tables", () => {
  const folder = "lib/storage/migrations";
  const steps = readdirSync(folder);
  expect(steps).toHaveLength(migrations.length);
  for (const step of steps) {
    // Over several lines, without names or in the middle of the code too.
    const code = readFileSync(join(folder, step), "utf8").replace(/^import type [^;]*;/gm, "");
    expect([...code.matchAll(/"([#.][^"\s]*\/[^"\s]*)"/g)]).toEqual([]);
  }
});

test("an older database is brought up to date with its rows kept", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  await store.accept(aNewApplication());
  await store.close();
  await opened(databaseFile, (database) =>
    migrate(database, dialect, [
      ...migrations,
      async (transaction) => {
        await transaction.schema.alterTable("applications").addColumn("source", "text").execute();
      },
    ]),
  );
  expect(versionOf(databaseFile)).toEqual([{ version: migrations.length + 1 }]);
  const rows = rawly(databaseFile, (database) =>
    database.prepare("SELECT name, source FROM applications").all(),
  );
  expect(rows).toEqual([{ name: "홍길동", source: null }]);
});

test("a step and its version are one: where the version cannot be noted, the step is not taken", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  await store.counts(TEST_NOW);
  await opened(databaseFile, async (database) => {
    const broken = migrate(database, dialect, [
      ...migrations,
      async (transaction) => {
        await transaction.schema.createTable("half").addColumn("id", "integer").execute();
        await transaction.schema.alterTable("schema_version").renameTo("no_version").execute();
      },
    ]);
    await expect(broken).rejects.toThrow("no such table");
  });
  expect(versionOf(databaseFile)).toEqual([{ version: migrations.length }]);
  const half = "SELECT name FROM sqlite_schema WHERE name = 'half'";
  expect(rawly(databaseFile, (database) => database.prepare(half).all())).toEqual([]);
});

test("a step that another process takes in between is not taken again", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  await store.counts(TEST_NOW);
  let taken = 0;
  const steps = [
    ...migrations,
    async () => {
      taken += 1;
    },
  ];
  await opened(databaseFile, (other) =>
    opened(databaseFile, async (database) => {
      let looked = false;
      const slow: Database = {
        ...database,
        write: async (work, lock) => {
          const result = await database.write(work, lock);
          if (!looked) await migrate(other, dialect, steps);
          looked = true;
          return result;
        },
      };
      await migrate(slow, dialect, steps);
    }),
  );
  expect(taken).toBe(1);
  expect(versionOf(databaseFile)).toEqual([{ version: steps.length }]);
});

test("two processes that start at once take each step once", async () => {
  await using temporary = temporaryStore();
  const stores = Array.from({ length: 4 }, () =>
    openStore({ databaseFile: temporary.databaseFile }),
  );
  await Promise.all(stores.map((store) => store.counts(TEST_NOW)));
  await Promise.all(stores.map((store) => store.close()));
  expect(versionOf(temporary.databaseFile)).toEqual([{ version: migrations.length }]);
});

test("a database of a newer program is refused and left alone", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  await store.accept(aNewApplication());
  await store.close();
  rawly(databaseFile, (database) => database.exec("UPDATE schema_version SET version = 99"));

  const older = openStore({ databaseFile });
  await expect(older.accept(aNewApplication({ idempotencyKey: "k" }))).rejects.toMatchObject({
    name: "StorageUnavailable",
    reason: "newer-schema",
    message: expect.stringContaining("version 99"),
  });
  await older.close();
  const rows = rawly(databaseFile, (database) =>
    database.prepare("SELECT 1 FROM applications").all(),
  );
  expect(rows).toHaveLength(1);
});
