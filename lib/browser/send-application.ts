import { parseAge } from "#lib/application/age.ts";
import { OPTIONAL_FIELDS, POST_PATHS } from "#lib/application/fields.ts";
import { parseReceipt, parseRefusal, REFUSAL_HEADER } from "#lib/application/response-body.ts";
import { cleanText } from "#lib/application/text.ts";
import type { FailureReason, SendOutcome, SubmittedApplication } from "#lib/browser/entry.ts";

export const SEND_TIMEOUT_MS = 10_000;
/** After these codes a repeat would fail too. 422: the server has another application with this key. */
const REFUSAL_STATUSES: readonly number[] = [400, 403, 413, 415, 422];

/** The device stores no empty field, but a request names every field. */
const EMPTY_OPTIONAL_FIELDS = Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, ""]));

/** Sends an application once. Never throws: every failure is an outcome. */
export async function sendApplication(
  { id, form, values }: SubmittedApplication,
  send = fetch,
): Promise<SendOutcome> {
  try {
    // Invisible characters could exceed the server's limit of bytes.
    const cleaned = Object.entries(values).map(([field, value]) => [field, cleanText(value)]);
    const fields = Object.fromEntries(cleaned);
    const response = await send(POST_PATHS[form], {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": id },
      body: JSON.stringify({
        ...EMPTY_OPTIONAL_FIELDS,
        ...fields,
        age: parseAge(fields.age ?? ""),
      }),
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
  // A portal or a firewall may answer with JSON of the same shape, but without our header and without our fields.
  // One of the two is enough, because a proxy may drop the header.
  const isOurs = response.headers.has(REFUSAL_HEADER) || Object.keys(refusal?.errors ?? {}).length;
  if (refusal && isOurs && REFUSAL_STATUSES.includes(response.status))
    return { kind: "refused", refusal };
  if (response.ok) return { kind: "later", errorText: undefined, reason: "connection" };
  const errorText = `HTTP ${response.status}: ${response.statusText}`.replace(/: $/, "");
  return { kind: "later", errorText, reason: reasonForStatus(response.status) };
}

function reasonForStatus(status: number): FailureReason | undefined {
  if (status === 429) return "busy";
  return status >= 500 ? "unavailable" : undefined;
}
