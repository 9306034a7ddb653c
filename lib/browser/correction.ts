/** A refused application that the visitor corrects. */
import { hold } from "#lib/browser/hold.ts";
import { refresh } from "#lib/browser/outbox-refresh.ts";
import type { Attempt } from "#lib/browser/press.ts";

/** The form continues its attempt. */
export interface Correction extends Attempt {
  errors: Record<string, string>;
}

/** Takes the oldest refused application into a form's hands. @throws when the database does not answer */
export async function takeRefused(signal: AbortSignal): Promise<Correction | undefined> {
  const entry = (await refresh()).refused[0];
  if (!entry || signal.aborted) return undefined;
  const { idempotencyKey, values, refusal } = entry;
  hold(idempotencyKey);
  await refresh();
  return { idempotencyKey, values, refused: true, kept: true, errors: refusal?.errors ?? {} };
}
