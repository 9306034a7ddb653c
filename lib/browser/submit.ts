/** What follows the press: into the outbox, to the server, and what became of it. */
import { askForSync } from "#lib/browser/background-sync.ts";
import { forgetDraft, saveDraft } from "#lib/browser/draft.ts";
import { release } from "#lib/browser/hold.ts";
import { keep, markRefused, remove } from "#lib/browser/outbox.ts";
import type { Attempt, Press, Result } from "#lib/browser/press.ts";
import { type Outcome, send } from "#lib/browser/send.ts";
import { strikeOut } from "#lib/browser/write-ahead.ts";

/**
 * A page that is being left hears that its request was cut off, but does not live that long any more: what
 * it wrote ahead is then the next page's.
 */
const LEFT_WITHIN_MS = 100;

/** Keeps and sends. Never throws. */
export async function submitApplication(
  press: Press,
): Promise<{ result: Result; attempt: Attempt }> {
  const { idempotencyKey, form, values } = press.entry;
  const keptFirst = await intoOutbox(press);
  if (keptFirst) void askForSync();
  const outcome = await send(press.entry);
  const result = await conclude(outcome, press, keptFirst);
  const refused = result.kind === "refused";
  const kept = keptFirst || result.kind === "kept";
  if (kept || result.kind === "received") {
    forgetDraft(form);
  } else {
    await new Promise((resolve) => setTimeout(resolve, LEFT_WITHIN_MS));
    // The visitor hears that it is not kept: what lies here from now on is only what is in the form.
    saveDraft(form, { values, idempotencyKey });
    strikeOut(idempotencyKey);
  }
  const retryAfterMs = outcome.kind === "later" ? outcome.retryAfterMs : undefined;
  return { result, attempt: { idempotencyKey, values, refused, kept, retryAfterMs } };
}

/** Once the outbox has it durably, the press need not be written ahead any more. */
async function intoOutbox({ entry, replaced }: Press): Promise<boolean> {
  const kept = await succeeds(keep(entry, replaced));
  if (!kept) return false;
  forgetDraft(entry.form);
  strikeOut(entry.idempotencyKey);
  return true;
}

async function conclude(outcome: Outcome, press: Press, kept: boolean): Promise<Result> {
  const { idempotencyKey } = press.entry;
  switch (outcome.kind) {
    case "received": {
      strikeOut(idempotencyKey);
      // A copy that cannot be deleted now is sent again with the same key, and answered with the same number.
      const removing = succeeds(
        remove(idempotencyKey, ...(press.replaced === undefined ? [] : [press.replaced])),
      );
      // A database that did not take the entry must not keep the visitor waiting for the receipt.
      if (kept) await removing;
      release(idempotencyKey);
      return outcome;
    }
    case "refused": {
      const { errorText, errors } = outcome;
      if (kept) await succeeds(markRefused(idempotencyKey, { errorText, errors }));
      return outcome;
    }
    case "later":
      // Asked once more: the handle may have been dead.
      if (kept || (await intoOutbox(press))) return { kind: "kept" };
      return { kind: "unkept", errorText: outcome.errorText };
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}
