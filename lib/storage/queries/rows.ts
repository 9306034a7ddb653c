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
  const found: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) found[nameOf(column)] = value ?? undefined;
  // Each name keeps its value, which the compiler cannot see.
  return found as Named<Row>;
}

const names = new Map<string, string>();

function nameOf(column: string): string {
  const known = names.get(column);
  if (known !== undefined) return known;
  const name = column.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
  names.set(column, name);
  return name;
}
