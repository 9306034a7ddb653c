/** Does what storing an application does, and leaves no application behind. */
import { randomUUID } from "node:crypto";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import type { Database } from "#lib/storage/database.ts";
import { acceptApplication } from "#lib/storage/queries/accept.ts";
import { writeNote } from "#lib/storage/queries/notes.ts";
import type { NewApplication } from "#lib/storage/stored-application.ts";

const EXAMPLE_APPLICATION = {
  ...Object.fromEntries(FIELD_NAMES.map((field) => [field, ""])),
  age: 0,
} as Application;

/** A long application with its indexes takes this many bytes. */
const PROBE_FILLER = "0".repeat(32 * 1_024);

class RolledBack extends Error {}

export interface ProbeOptions {
  now: number;
  /** The last application that could not be stored: it is tried again. Undefined: an example is tried. */
  unstored: NewApplication | undefined;
  /** Writes as much as an application needs, instead of one page: only a commit shows that a disk is full. */
  checksRoom: boolean;
}

/** @throws the error that an application would meet */
export async function probeAcceptance(
  database: Database,
  { now, unstored, checksRoom }: ProbeOptions,
): Promise<void> {
  const example: NewApplication = {
    route: "sms",
    application: EXAMPLE_APPLICATION,
    idempotencyKey: "",
    now,
  };
  const probed = { ...(unstored ?? example), idempotencyKey: randomUUID(), isRepeatOnly: false };
  try {
    await database.write(async (trx) => {
      await acceptApplication(trx, probed);
      throw new RolledBack();
    }, "intake");
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  const value = checksRoom ? PROBE_FILLER : "";
  await database.write((trx) => writeNote(trx, "write-probe", { at: now, value }));
}
