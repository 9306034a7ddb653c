/** Adapts node:sqlite to Kysely's SQLite driver, which was made for better-sqlite3. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { StorageUnavailable } from "#lib/storage/errors.ts";

const MAX_STATEMENTS = 100;

export function sqliteDialect(connection: DatabaseSync, fileName: string): Dialect {
  const database = shim(connection, fileName);
  // Kysely runs one query or transaction at a time on a single connection.
  return Object.assign(new SqliteDialect({ database }), {
    createDriver: () => new ImmediateDriver(connection, database),
  });
}

class ImmediateDriver extends SqliteDriver {
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync, database: SqliteDatabase) {
    super({ database });
    this.#connection = connection;
  }

  /** A deferred transaction could fail in the middle, without a way to wait for the lock. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** SQLite itself rolls back after a full disk or an I/O error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isOpen && this.#connection.isTransaction) {
      await super.rollbackTransaction(connection);
    }
  }
}

function shim(connection: DatabaseSync, fileName: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => {
      if (connection.isOpen) connection.close();
    },
    prepare(sql) {
      if (!connection.isOpen) {
        throw new StorageUnavailable(`The database ${fileName} has been closed.`, "closed");
      }
      const known = statements.get(sql);
      if (known) return known;
      const prepared = connection.prepare(sql);
      const statement: SqliteStatement = {
        reader: prepared.columns().length > 0,
        all: (parameters) => prepared.all(...bindable(parameters)),
        run: (parameters) => prepared.run(...bindable(parameters)),
        iterate: (parameters) => prepared.iterate(...bindable(parameters)),
      };
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** node:sqlite throws for values that it cannot bind. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
