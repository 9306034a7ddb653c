/** Between validation and the store: the limits, and the mark for what looks automated. */

import type { Acceptance, NewApplication, Suspicion } from "#lib/application/stored-application.ts";
import type { Allowance, Limits } from "#lib/intake/limits.ts";
import type { IntakeStore } from "#lib/storage/store.ts";

interface Admission {
  acceptance: Acceptance;
  /** Not `ok` when the application is new and over a limit. */
  allowance: Allowance;
  suspicion: Suspicion | undefined;
}

/**
 * Stores what the limits allow. Over them a repeat still gets the answer of the first time: what was
 * received is never denied. A repeat or a refusal counts as a request, a new application only as an application.
 * @throws StorageUnavailable
 */
export async function admit(
  newApplication: NewApplication,
  honeypot: boolean,
  { store, limits, address }: { store: IntakeStore; limits: Limits; address: string | undefined },
): Promise<Admission> {
  const allowance = await limits.countApplication(address);
  const suspicion = honeypot ? "honeypot" : allowance.flooding ? "flooding" : undefined;
  let stored = false;
  try {
    const repeatOnly = !allowance.ok;
    const acceptance = await store.accept({ ...newApplication, suspicion, repeatOnly });
    stored = acceptance.outcome === "stored";
    return { acceptance, allowance, suspicion };
  } finally {
    if (stored) await limits.takeBackRequest(address);
    else if (allowance.ok) await limits.takeBackApplication(address);
  }
}
