/**
 * What a form that was sent without JavaScript is answered with, kept until the browser has followed
 * the redirect. In memory: values that were refused do not belong on the disk, and a page about a store
 * that is out cannot come from the store.
 */
import { randomBytes } from "node:crypto";
import type { Receipt } from "#lib/application/answer.ts";
import type { Application, FieldName, FormName } from "#lib/application/fields.ts";
import type { FieldErrors } from "#lib/application/schema.ts";
import { slots } from "#lib/process.ts";

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

/** Next's bundles of the handler and of the page meet in the process's slots. */
function kept(): Map<string, FormResult> {
  slots.formResults ??= new Map();
  return slots.formResults;
}

/** Keeps a result for half an hour; returns the token that its address ends with. */
export function keepFormResult(result: FormResult): string {
  const results = kept();
  for (const oldest of results.keys()) {
    if (results.size < MAX_KEPT) break;
    results.delete(oldest);
  }
  const token = randomBytes(24).toString("base64url");
  results.set(token, result);
  setTimeout(() => results.delete(token), RESULT_KEPT_MS).unref();
  return token;
}

/** The result that was kept under a token, while it is. */
export function formResult(token: string): FormResult | undefined {
  return kept().get(token);
}
