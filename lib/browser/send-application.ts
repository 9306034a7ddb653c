import { parseAge } from "#lib/application/age.ts";
import { POST_PATHS } from "#lib/application/fields.ts";
import { parseReceipt, parseRefusal } from "#lib/application/response-body.ts";
import { cleanText } from "#lib/application/text.ts";
import type { FailureReason, Kept, SendOutcome } from "#lib/browser/entry.ts";

export const SEND_TIMEOUT_MS = 10_000;
/** A retry after these status codes would fail again. 422: the server has another application with this key. */
const REFUSALS: readonly number[] = [400, 403, 413, 415, 422];

/** Sends an application once. Never throws: every failure is an outcome. */
export async function sendApplication(
  { id, form, values }: Kept,
  send = fetch,
): Promise<SendOutcome> {
  try {
    // Invisible characters could exceed the server's limit of bytes.
    const cleaned = Object.entries(values).map(([field, value]) => [field, cleanText(value)]);
    const fields = Object.fromEntries(cleaned);
    const response = await send(POST_PATHS[form], {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": id },
      body: JSON.stringify({ ...fields, age: parseAge(fields.age ?? "") }),
      // A redirect, such as that of a Wi-Fi login, must not carry the application to another host.
      redirect: "error",
      cache: "no-store",
      keepalive: true,
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    return classifyResponse(response, await response.json().catch(() => undefined));
  } catch {
    return { kind: "later", errorText: undefined, reason: "connection" };
  }
}

function classifyResponse(response: Response, body: unknown): SendOutcome {
  const receipt = response.ok ? parseReceipt(body) : undefined;
  if (receipt) return { kind: "received", receipt };
  const refusal = parseRefusal(body);
  if (refusal && REFUSALS.includes(response.status)) return { kind: "refused", refusal };
  const status = `HTTP ${response.status}: ${response.statusText}`.replace(/: $/, "");
  return {
    kind: "later",
    errorText: response.ok ? refusal?.errorText : status,
    reason: response.ok && !refusal ? "connection" : reasonForStatus(response.status),
  };
}

function reasonForStatus(status: number): FailureReason | undefined {
  if (status === 429) return "busy";
  return status >= 500 ? "unavailable" : undefined;
}
