/** What the program notes about itself for health and the doctor, which may run in another process. */
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/**
 * `write-probe`: a row as large as an application. `clock-jump`: the last one, its value in ms. `backup`: the
 * last one that succeeded, its value the file's name. `backup-failure`: the last one that did not, and why.
 * `clock-agreement`: for how many ms the clock had been steady then. `forwarded-for`: a proxy is in front, and
 * TRUSTED_PROXY_HOPS is 0.
 */
export type NoteName =
  | "write-probe"
  | "clock-jump"
  | "clock-agreement"
  | "backup"
  | "backup-failure"
  | "forwarded-for";

export interface Note {
  /** ms since the epoch */
  at: number;
  value: string;
}

export async function writeNote(
  transaction: Transaction<Tables>,
  name: NoteName,
  note: Note,
): Promise<void> {
  await transaction
    .insertInto("notes")
    .values({ name, ...note })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ ...note }))
    .execute();
}

/** The newest note of this name; undefined when there is none. */
export function findNote(database: Kysely<Tables>, name: NoteName): Promise<Note | undefined> {
  return database
    .selectFrom("notes")
    .select(["at", "value"])
    .where("name", "=", name)
    .executeTakeFirst();
}

/** About what a long application takes with its indexes: a nearly full disk must fail the probe too. */
const FILLER = "0".repeat(32 * 1_024);

/** Whether an application could be stored now: commits a row as an application would. */
export async function probeWrite(transaction: Transaction<Tables>, now: number): Promise<void> {
  await writeNote(transaction, "write-probe", { at: now, value: FILLER });
}
