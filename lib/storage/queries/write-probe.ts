import type { Transaction } from "kysely";
import { writeNote } from "#lib/storage/queries/notes.ts";
import type { Tables } from "#lib/storage/tables.ts";

/** About what a long application takes with its indexes: a nearly full disk must fail the probe too. */
const FILLER = "0".repeat(32 * 1_024);

/** Whether an application could be stored now: commits a row as an application would. */
export async function probeWrite(transaction: Transaction<Tables>, now: number): Promise<void> {
  await writeNote(transaction, "write-probe", { at: now, value: FILLER });
}
