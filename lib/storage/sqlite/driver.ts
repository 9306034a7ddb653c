/** Kysely's own SQLite driver on node:sqlite, whose statements differ from those of the library that it expects. */
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

/** Prepared statements kept for the next time; the program has far fewer different ones. */
const MAX_STATEMENTS = 100;

/** A Kysely dialect on one open connection. `fileName` is for messages. */
export function sqliteDialect(connection: DatabaseSync, fileName: string): Dialect {
  const database = shim(connection, fileName);
  // Its adapter says that there is one connection: Kysely lets one query or transaction at a time have it.
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

  /** IMMEDIATE takes the write lock at once; a deferred transaction can fail half way, with no way to wait. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** After a full disk or an I/O error SQLite has rolled back by itself. */
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

/** node:sqlite refuses by itself what it cannot bind. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
