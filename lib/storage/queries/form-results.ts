/** What forms without JavaScript are answered with, for the other instances of the site. It is sealed. */
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#lib/storage/tables.ts";

/** A flood pushes out the oldest instead of filling the disk. */
const MAX_KEPT = 500;

/** What a form is answered with, encrypted; its key is in the address that only the visitor has. */
export interface SealedResult {
  tokenHash: string;
  sealed: string;
  expiresAt: number;
}

/** Keeps what a form is answered with for the other instances; forgets what has expired. */
export async function keepSealed(
  transaction: Transaction<Tables>,
  { tokenHash, sealed, expiresAt }: SealedResult,
  now: number,
): Promise<void> {
  await transaction
    .insertInto("form_results")
    .values({ token_hash: tokenHash, sealed, expires_at: expiresAt })
    .execute();
  const newest = transaction
    .selectFrom("form_results")
    .select("token_hash")
    .where("expires_at", ">", now)
    .orderBy("expires_at", "desc")
    .limit(MAX_KEPT);
  await transaction.deleteFrom("form_results").where("token_hash", "not in", newest).execute();
}

export async function findSealed(
  database: Kysely<Tables>,
  tokenHash: string,
  now: number,
): Promise<string | undefined> {
  const row = await database
    .selectFrom("form_results")
    .select("sealed")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.sealed;
}
