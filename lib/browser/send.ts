/** The one fetch: an application to the server, and what became of it. */
import { type Receipt, receiptIn, refusalIn } from "#lib/application/answer.ts";
import type { FormName } from "#lib/application/fields.ts";
import { ENDPOINTS } from "#lib/browser/endpoints.ts";
import type { FormValues } from "#lib/browser/form-values.ts";

export const SEND_TIMEOUT_MS = 10_000;
/** The server has read the application and will not take it: sending it again unchanged is no use. */
const REFUSALS: readonly number[] = [400, 403, 413, 415, 422];

export interface Refusal {
  /** What the server said, or the HTTP status where it said nothing; undefined when neither is known. */
  errorText: string | undefined;
  /** The server's sentence for each wrong field. */
  errors: Record<string, string>;
}

export type Outcome =
  | { kind: "received"; receipt: Receipt }
  | ({ kind: "refused" } & Refusal)
  /** Not known to have arrived: to be sent again with the same key. */
  | { kind: "later"; errorText: string | undefined; retryAfterMs: number | undefined };

interface Sending {
  form: FormName;
  values: FormValues;
  idempotencyKey: string;
}

/** Sends an application once. Never throws: everything that can go wrong is an outcome. */
export async function send(
  { form, values, idempotencyKey }: Sending,
  fetcher: typeof fetch = fetch,
): Promise<Outcome> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), SEND_TIMEOUT_MS);
  try {
    const response = await fetcher(ENDPOINTS[form], {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
      body: JSON.stringify({ ...values, age: Number(values.age) }),
      // A captive portal's redirect must not carry the application to another host.
      redirect: "error",
      cache: "no-store",
      signal: abort.signal,
    });
    return outcomeOf(response, await response.text());
  } catch {
    // No network, a timeout, a reset: the visitor is told so, the application may or may not have arrived.
    return { kind: "later", errorText: undefined, retryAfterMs: undefined };
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(response: Response, text: string): Outcome {
  const body = parseJson(text);
  if (response.ok) {
    const receipt = receiptIn(body);
    if (receipt) return { kind: "received", receipt };
    return { kind: "later", errorText: refusalIn(body).message, retryAfterMs: undefined };
  }
  const status = `HTTP ${response.status}: ${response.statusText}`.replace(/: $/, "");
  if (REFUSALS.includes(response.status)) {
    const { message, errors } = refusalIn(body);
    return { kind: "refused", errorText: message ?? status, errors };
  }
  const retryAfterMs = retryAfterIn(response.headers.get("Retry-After"), Date.now());
  return { kind: "later", errorText: status, retryAfterMs };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A Retry-After header (seconds, or a date) → milliseconds from now. */
function retryAfterIn(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
