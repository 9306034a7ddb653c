/** Kysely's driver for node:sqlite. Kysely runs one query or transaction at a time on the single connection. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { fileError } from "#lib/storage/errors.ts";

const MAX_STATEMENTS = 100;

export function kyselyDialect(database: DatabaseSync, fileName: string): Dialect {
  const connection = connectionTo(database, fileName);
  const run = async (statement: string) => {
    await connection.executeQuery(CompiledQuery.raw(statement));
  };
  const driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    // A deferred transaction could fail in the middle, without a way to wait for the lock.
    beginTransaction: () => run("begin immediate"),
    commitTransaction: () => run("commit"),
    // SQLite itself rolls back after a full disk or an I/O error.
    rollbackTransaction: async () => {
      if (database.isOpen && database.isTransaction) await run("rollback");
    },
    releaseConnection: async () => undefined,
    destroy: async () => database.close(),
  };
  return {
    createDriver: () => driver,
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function connectionTo(database: DatabaseSync, fileName: string): DatabaseConnection {
  const statements = new Map<string, StatementSync>();
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      if (!database.isOpen) {
        throw fileError(fileName, "closed", "closed");
      }
      if (statements.size > MAX_STATEMENTS) statements.clear();
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      // The cast is safe: node:sqlite throws for values that it cannot bind.
      return { rows: statement.all(...(parameters as SQLInputValue[])) as Row[] };
    },
    streamQuery() {
      throw new Error("no query is streamed");
    },
  };
}
