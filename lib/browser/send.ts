/** The one fetch: an application to the server, and what became of it. */

import { FORM_PATHS } from "#lib/application/fields.ts";
import { parseReceipt, parseRefusal } from "#lib/application/response-body.ts";
import { keyBefore, type Outcome, type Reason, type Waiting } from "#lib/browser/record.ts";

const SEND_TIMEOUT_MS = 10_000;
/** The server has read the application and will not take it: sending it again unchanged is no use. */
const REFUSALS: readonly number[] = [400, 403, 413, 415];
/** The server has another application under this key. */
const KEY_REUSED = 422;

/** Sends an application once. Never throws: everything that can go wrong is an outcome. */
export async function send(
  { form, values, key }: Pick<Waiting, "form" | "values" | "key">,
  fetcher: typeof fetch = fetch,
): Promise<Outcome> {
  const corrects = keyBefore(key);
  try {
    const response = await fetcher(FORM_PATHS[form], {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        ...(corrects !== undefined && { "Corrects-Key": corrects }),
      },
      body: JSON.stringify({ ...values, age: Number(values.age) }),
      // A captive portal's redirect must not carry the application to another host.
      redirect: "error",
      cache: "no-store",
      // The request goes on when its page is closed.
      keepalive: true,
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    return outcomeOf(response, await response.json().catch(() => undefined));
  } catch {
    // No network, a timeout, a reset: the application may or may not have arrived.
    return { kind: "later", errorText: undefined, reason: "connection" };
  }
}

function outcomeOf(response: Response, body: unknown): Outcome {
  const receipt = response.ok ? parseReceipt(body) : undefined;
  if (receipt) return { kind: "received", receipt };
  const refusal = parseRefusal(body);
  if (refusal && REFUSALS.includes(response.status)) return { kind: "refused", refusal };
  const isReused = refusal !== undefined && response.status === KEY_REUSED;
  const status = `HTTP ${response.status}: ${response.statusText}`.replace(/: $/, "");
  return {
    kind: isReused ? "reused" : "later",
    errorText: response.ok || isReused ? refusal?.errorText : status,
    reason: response.ok && !refusal ? "connection" : reasonOf(response.status),
  };
}

function reasonOf(status: number): Reason | undefined {
  if (status === 429) return "busy";
  return status >= 500 ? "unavailable" : undefined;
}
