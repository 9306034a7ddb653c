/** Facts that the site stores for health, for the doctor in another process, and for the next start. */
import type { Db, Trx } from "#lib/storage/tables.ts";

/**
 * `write-probe`: what queries/probe.ts wrote. `clock`: start of the steady time. `clock-jump`: the last jump, in ms.
 * `backup`: the file of the last backup. `backup-failure`: the reason of the last failure. `cdn`: what
 * lib/settings-findings.ts says of a CDN.
 */
export type NoteName = "write-probe" | "clock" | "clock-jump" | "backup" | "backup-failure" | "cdn";

export interface Note {
  at: number;
  value: string;
}

export async function writeNote(trx: Trx, name: NoteName, note: Note): Promise<void> {
  await trx
    .insertInto("notes")
    .values({ name, ...note })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ ...note }))
    .execute();
}

export function readNote(db: Db, name: NoteName): Promise<Note | undefined> {
  return db.selectFrom("notes").select(["at", "value"]).where("name", "=", name).executeTakeFirst();
}
