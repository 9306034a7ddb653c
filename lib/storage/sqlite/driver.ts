/**
 * Kysely on node:sqlite. Kysely's own SQLite driver is written for another library: with DatabaseSync
 * its SELECTs return nothing, parameters throw, and BEGIN is deferred.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { StorageUnavailable } from "#lib/storage/errors.ts";

type SqlValue = null | string | number | bigint | Uint8Array;

interface Statement {
  columns(): unknown[];
  all(...values: SqlValue[]): unknown[];
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

/** What of node:sqlite's DatabaseSync is used here. */
interface Connection {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): Statement;
  close(): void;
}

/** Prepared statements kept for the next time; the program has far fewer different ones. */
const MAX_STATEMENTS = 100;

/** A Kysely dialect on one open connection. `fileName` is for messages. */
export function sqliteDialect(database: Connection, fileName: string): Dialect {
  return {
    // The adapter says that there is one connection: Kysely lets one query or transaction at a time have it.
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => sqliteDriver(database, fileName),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function sqliteDriver(database: Connection, fileName: string): Driver {
  const connection = new SqliteConnection(database, fileName);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    // IMMEDIATE takes the write lock at once; a deferred transaction can fail half way, with no way to wait.
    beginTransaction: async () => connection.run("BEGIN IMMEDIATE"),
    commitTransaction: async () => connection.run("COMMIT"),
    rollbackTransaction: async () => {
      // After a full disk or an I/O error SQLite has rolled back by itself.
      if (database.isOpen && database.isTransaction) connection.run("ROLLBACK");
    },
    destroy: async () => {
      if (database.isOpen) database.close();
    },
  };
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Connection;
  readonly #fileName: string;
  readonly #statements = new Map<string, { statement: Statement; givesRows: boolean }>();

  constructor(database: Connection, fileName: string) {
    this.#database = database;
    this.#fileName = fileName;
  }

  run(sql: string): void {
    this.#prepared(sql).statement.run();
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, givesRows } = this.#prepared(sql);
    const values = parameters.map(bindable);
    if (givesRows) {
      // The type of a row is the caller's claim about its own SQL; Kysely's interface leaves it to us to pass on.
      const rows = statement.all(...values) as Row[];
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    return {
      rows: [],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  #prepared(sql: string) {
    if (!this.#database.isOpen) {
      throw new StorageUnavailable(`The database ${this.#fileName} has been closed.`, "closed");
    }
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, givesRows: statement.columns().length > 0 };
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function bindable(value: unknown): SqlValue {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    value instanceof Uint8Array
  ) {
    return value;
  }
  throw new TypeError(
    `A query has a parameter of the type ${typeof value}; SQLite takes none such`,
  );
}
