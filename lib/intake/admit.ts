/** Between validation and the store: the limits, and the mark for what looks automated. */
import type { Acceptance, NewApplication, Suspicion } from "#lib/application/stored-application.ts";
import type { Allowance, Limits } from "#lib/intake/limits.ts";
import type { Store } from "#lib/storage/store.ts";

interface Admission {
  acceptance: Acceptance;
  /** Not `ok` when the application is new and over a limit. */
  allowance: Allowance;
  suspicion?: Suspicion | undefined;
}

interface Needs {
  store: Pick<Store, "accept" | "now">;
  limits: Limits;
  address: string | undefined;
  /** Of the request that brought the application. */
  allowance: Allowance;
}

/**
 * Stores what the limits allow. Over them a repeat still gets the answer of the first time: what was
 * received is never denied. A repeat or a refusal counts as a request, a new application only as an application.
 * @throws StorageUnavailable
 */
export async function admit(
  newApplication: NewApplication,
  honeypot: boolean,
  { store, limits, address, allowance: ofRequest }: Needs,
): Promise<Admission> {
  if (!ofRequest.ok) {
    const acceptance = await store.accept({ ...newApplication, repeatOnly: true });
    return { acceptance, allowance: ofRequest };
  }
  const allowance = limits.countApplication(address);
  const suspicion = honeypot ? "honeypot" : allowance.flooding ? "flooding" : undefined;
  let stored = false;
  try {
    const repeatOnly = !allowance.ok;
    const acceptance = await store.accept({ ...newApplication, suspicion, repeatOnly });
    stored = acceptance.outcome === "stored";
    return { acceptance, allowance, suspicion };
  } finally {
    if (stored) limits.takeBackRequest(address);
    else if (allowance.ok) limits.takeBackApplication(address);
  }
}
