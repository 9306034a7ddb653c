/** What was written ahead (write-ahead.ts) by a page that ended before the outbox had it. */
import { FORM_NAMES } from "#lib/application/fields.ts";
import { type FormValues, sameValues, storedValues } from "#lib/browser/form-values.ts";
import { keepUnlessKnown, list, mayHoldEntries } from "#lib/browser/outbox.ts";
import { isExpired } from "#lib/browser/outbox-entry.ts";
import { send } from "#lib/browser/send.ts";
import { inLocalStorage, PREFIX, strikeOut, type WrittenAhead } from "#lib/browser/write-ahead.ts";

/** All that lies there; what another program left under our names is removed. */
export function writtenAhead(): WrittenAhead[] {
  const found = inLocalStorage((storage) =>
    Object.keys(storage).flatMap((name) => {
      if (!name.startsWith(PREFIX)) return [];
      const press = writtenAheadIn(storage.getItem(name) ?? "");
      if (!press) storage.removeItem(name);
      return press ?? [];
    }),
  );
  return found ?? [];
}

/**
 * Brings presses into the outbox, but for those in a form's hands (`mine`, or another tab's); returns how
 * many must be asked for again. Never throws.
 */
export async function takeUp(
  presses: readonly WrittenAhead[],
  heldBy: (key: string) => "mine" | "others" | undefined,
): Promise<number> {
  let left = 0;
  for (const press of presses) {
    const holder = heldBy(press.idempotencyKey);
    if (holder === "mine") continue;
    if (holder === "others" || !(await isTaken(press))) left += 1;
    else strikeOut(press.idempotencyKey);
  }
  return left;
}

async function isTaken({ replaces, ...entry }: WrittenAhead): Promise<boolean> {
  try {
    await keepUnlessKnown(entry, replaces);
    return true;
  } catch {
    // A browser without a database: it goes out from here, or its time ends here.
    return isExpired(entry, Date.now()) || (await send(entry)).kind === "received";
  }
}

/** Whether these values, or this press, wait on the device. @throws when the database does not answer */
export async function isOnDevice(values: FormValues, key: string | undefined): Promise<boolean> {
  const { entries } = (await mayHoldEntries()) ? await list() : { entries: [] };
  return [...writtenAhead(), ...entries].some(
    (entry) => entry.idempotencyKey === key || sameValues(entry.values, values),
  );
}

/** The press in what was stored. */
export function writtenAheadIn(text: string): WrittenAhead | undefined {
  const stored = parsed(text);
  if (typeof stored !== "object" || stored === null) return undefined;
  if (!("idempotencyKey" in stored && "form" in stored && "keptAt" in stored)) return undefined;
  const { idempotencyKey, keptAt } = stored;
  if (typeof idempotencyKey !== "string" || typeof keptAt !== "number") return undefined;
  const form = FORM_NAMES.find((name) => name === stored.form);
  const values = storedValues(stored);
  if (!form || !values) return undefined;
  const entry = { idempotencyKey, form, values, keptAt };
  if (!("replaces" in stored) || typeof stored.replaces !== "string") return entry;
  return { ...entry, replaces: stored.replaces };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
