/** Facts that the site stores for health and the doctor, which may run in another process. */
import type { Db, Trx } from "#lib/storage/tables.ts";

/**
 * `write-probe`: a row as large as an application. `clock`: since when the clock had been steady then, ms since the
 * epoch. `clock-jump`: the last one, its value in ms. `backup`: the last one that succeeded, its value the file's
 * name. `backup-failure`: the last one that did not, and why. `proxy`: whether TRUSTED_PROXY_HOPS fits
 * the requests (lib/proxy-check.ts).
 */
export type NoteName =
  | "write-probe"
  | "clock"
  | "clock-jump"
  | "backup"
  | "backup-failure"
  | "proxy";

export interface Note {
  /** ms since the epoch */
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

export function findNote(db: Db, name: NoteName): Promise<Note | undefined> {
  return db.selectFrom("notes").select(["at", "value"]).where("name", "=", name).executeTakeFirst();
}

/** A long application takes this many bytes with its indexes: a commit of the probe needs as much of the journal. */
const FILLER = "0".repeat(32 * 1_024);

/** Commits one row of the size of an application. @throws when the disk does not take it */
export async function probeWrite(trx: Trx, now: number): Promise<void> {
  await writeNote(trx, "write-probe", { at: now, value: FILLER });
}
