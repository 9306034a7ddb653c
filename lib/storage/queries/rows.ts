/** Rows as the rest of the program knows them: `begun_at` is `begunAt`, and null is undefined. */

type Camel<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Column;

export type Named<Row> = {
  [Column in keyof Row & string as Camel<Column>]: null extends Row[Column]
    ? Exclude<Row[Column], null> | undefined
    : Row[Column];
};

export function named<Row extends object>(row: Row): Named<Row> {
  const columns = Object.entries(row).map(([column, value]) => [
    column.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase()),
    value ?? undefined,
  ]);
  // Each name keeps its value, which the compiler cannot see.
  return Object.fromEntries(columns);
}
