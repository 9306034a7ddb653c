/**
 * What a form that was sent without JavaScript is answered with, kept until the browser has followed
 * the redirect. In memory: values that were refused do not belong on the disk, and a page about a store
 * that is out cannot come from the store. Where several instances share a PostgreSQL, the redirect may
 * lead to another one, so that it lies there too, encrypted with the token in the address.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Receipt } from "#lib/application/answer.ts";
import type { Application, FieldName, FormName } from "#lib/application/fields.ts";
import type { FieldErrors } from "#lib/application/schema.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import { config } from "#lib/config.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { sharedStore } from "#lib/storage/shared.ts";
import type { IntakeStore } from "#lib/storage/store.ts";

export const RESULT_KEPT_MS = 30 * 60_000;
/** At most about 16 KiB each. */
const MAX_KEPT = 500;

export type FormResult =
  | { kind: "received"; receipt: Receipt; application: Application }
  | {
      kind: "refused";
      form: FormName;
      message: string;
      errors: FieldErrors;
      values: Partial<Record<FieldName, string>>;
    };

/** Next's bundles of the handler and of the page meet in the globals of the process. */
function kept(): Map<string, FormResult> {
  processGlobals.formResults ??= new Map();
  return processGlobals.formResults;
}

/** Where instances meet; undefined for a site that is one process. */
function meetingPlace(): SealedStore | undefined {
  return config().databaseUrl === undefined ? undefined : sharedStore();
}

type SealedStore = Pick<IntakeStore, "keepSealed" | "findSealed">;

/** Keeps a result for half an hour; returns the token that its address ends with. */
export async function keepFormResult(
  result: FormResult,
  shared: SealedStore | undefined = meetingPlace(),
  now: Clock = systemClock,
): Promise<string> {
  const results = kept();
  for (const oldest of results.keys()) {
    if (results.size < MAX_KEPT) break;
    results.delete(oldest);
  }
  const token = randomBytes(24).toString("base64url");
  results.set(token, result);
  setTimeout(() => results.delete(token), RESULT_KEPT_MS).unref();
  const row = {
    tokenHash: digest("name", token).toString("base64url"),
    sealed: seal(result, token),
  };
  // While the database is out, this instance still has it.
  await ifAvailable(shared?.keepSealed({ ...row, expiresAt: now() + RESULT_KEPT_MS }, now()));
  return token;
}

/** The result that was kept under a token, here or by another instance, while it is. */
export async function formResult(
  token: string,
  shared: SealedStore | undefined = meetingPlace(),
  now: Clock = systemClock,
): Promise<FormResult | undefined> {
  const here = kept().get(token);
  if (here) return here;
  const tokenHash = digest("name", token).toString("base64url");
  const sealed = await ifAvailable(shared?.findSealed(tokenHash, now()));
  return sealed === undefined ? undefined : unseal(sealed, token);
}

async function ifAvailable<Result>(work: Promise<Result> | undefined): Promise<Result | undefined> {
  return work?.catch((error: unknown) => {
    if (error instanceof StorageUnavailable) return undefined;
    throw error;
  });
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const digest = (purpose: string, token: string) =>
  createHash("sha256").update(`${purpose} ${token}`).digest();

function seal(result: FormResult, token: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, digest("key", token), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(result)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
}

/** What it returns is what an instance of this program sealed: the cipher refuses everything else. */
function unseal(sealed: string, token: string): FormResult {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(CIPHER, digest("key", token), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return JSON.parse(Buffer.concat([text, decipher.final()]).toString());
}
