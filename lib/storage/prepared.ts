import type {
  Compilable,
  CompiledQuery,
  DatabaseConnection,
  DialectAdapter,
  Kysely,
  QueryResult,
  Transaction,
} from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/** Stands in a query's text for a value that each run brings. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A transaction with its connection at hand, for prepared queries. */
export interface Connected {
  readonly transaction: Transaction<Tables>;
  readonly connection: DatabaseConnection;
}

/**
 * Takes the transaction's connection once for many prepared queries: Kysely's way to it costs more than a
 * small query. Meanwhile no other query of the transaction can run.
 */
export function onConnection<Result>(
  transaction: Transaction<Tables>,
  work: (connected: Connected) => Promise<Result>,
): Promise<Result> {
  return transaction
    .getExecutor()
    .provideConnection((connection) => work({ transaction, connection }));
}

/**
 * A query whose text is made once for each database: for the small ones that every application needs, making it
 * costs more than running it. `build` must not look into the values, it gets placeholders for them.
 */
export function prepared<Values extends object, Row>(
  build: (database: Kysely<Tables>, values: Values) => Compilable<Row>,
) {
  const known = new WeakMap<DialectAdapter, CompiledQuery<Row>>();

  function textFor(database: Kysely<Tables>): CompiledQuery<Row> {
    const { adapter } = database.getExecutor();
    const made = known.get(adapter) ?? build(database, placeholdersOf<Values>()).compile();
    known.set(adapter, made);
    return made;
  }

  return ({ transaction, connection }: Connected, values: Values): Promise<QueryResult<Row>> => {
    const query = textFor(transaction);
    const parameters = query.parameters.map((parameter): unknown =>
      parameter instanceof Placeholder ? Reflect.get(values, parameter.name) : parameter,
    );
    return connection.executeQuery<Row>({ ...query, parameters });
  };
}

function placeholdersOf<Values extends object>(): Values {
  const answer = (_: object, name: string | symbol) => new Placeholder(String(name));
  return new Proxy<Values>({} as Values, { get: answer });
}
