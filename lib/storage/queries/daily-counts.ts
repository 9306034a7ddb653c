import type { Kysely } from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/** What came of a day. */
export interface DailyCounts {
  /** New applications, and deliveries that ended, on that day. */
  taken: number;
  delivered: number;
  filed: number;
  givenUp: number;
  /** As it is now: on their way or to be tried again, and refused on every way so far. */
  waiting: number;
  refused: number;
}

/** What came of the time from `from` up to `to`. */
export async function dailyCounts(
  database: Kysely<Tables>,
  { from, to }: { from: number; to: number },
): Promise<DailyCounts> {
  const { taken } = await database
    .selectFrom("applications")
    .select(({ fn }) => fn.countAll<number>().as("taken"))
    .where("submitted_at", ">=", from)
    .where("submitted_at", "<", to)
    .executeTakeFirstOrThrow();
  const settled = await database
    .selectFrom("deliveries")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("settled_at", ">=", from)
    .where("settled_at", "<", to)
    .groupBy("state")
    .execute();
  const open = await database
    .selectFrom("deliveries")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("settled_at", "is", null)
    .groupBy("state")
    .execute();
  const sum = (rows: { state: string; count: number }[], isMeant: (state: string) => boolean) =>
    rows.reduce((total, { state, count }) => total + (isMeant(state) ? Number(count) : 0), 0);
  return {
    taken: Number(taken),
    delivered: sum(settled, (state) => state === "delivered"),
    filed: sum(settled, (state) => state === "filed"),
    givenUp: sum(settled, (state) => state === "needs-owner"),
    waiting: sum(open, (state) => state !== "refused"),
    refused: sum(open, (state) => state === "refused"),
  };
}
