/** The JSON responses of the application routes contain nothing from the request. */

import type { Application } from "#lib/application/fields.ts";
import { responseMessages } from "#lib/application/messages.ts";
import { REFUSAL_HEADER, type ResponseBody } from "#lib/application/response-body.ts";
import type { FieldErrors } from "#lib/application/rules.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";

export interface Refusal {
  status: number;
  message: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
}

export type IntakeResult =
  | {
      ok: true;
      applicationId: string;
      /** Milliseconds since the epoch. */
      submittedAt: number;
      replayed: boolean;
      application: Application;
    }
  | { ok: false; refusal: Refusal };

/** The server would read the rest of the body as another request if the connection stayed open. */
const CLOSE_CONNECTION = { Connection: "close" };

export const refusals = {
  malformed: { status: 400, message: responseMessages.malformed },
  crossSite: { status: 403, message: responseMessages.crossSite },
  tooSlow: { status: 408, message: responseMessages.tooSlow, headers: CLOSE_CONNECTION },
  tooLarge: { status: 413, message: responseMessages.tooLarge, headers: CLOSE_CONNECTION },
  unsupportedType: { status: 415, message: responseMessages.malformed },
  keyReused: { status: 422, message: responseMessages.keyReused },
  unavailable: {
    status: 503,
    message: responseMessages.unavailable,
    headers: { "Retry-After": "10" },
  },
  invalid: (errors: FieldErrors) => ({ status: 400, message: responseMessages.invalid, errors }),
  tooMany: (retryAfterSeconds: number) => ({
    status: 429,
    message: responseMessages.tooMany,
    headers: { "Retry-After": `${retryAfterSeconds}` },
  }),
} as const satisfies Record<string, Refusal | ((fact: never) => Refusal)>;

/** A browser without JavaScript gets a page instead (lib/intake/form-result-cookie.ts). */
export function jsonResponse(result: IntakeResult): Response {
  if (!result.ok) {
    const { status, message, errors, headers } = result.refusal;
    const body = { success: false, message, ...(errors && { errors }) } as const;
    return uncachedJson(status, body, { [REFUSAL_HEADER]: "true", ...headers });
  }
  const { applicationId, submittedAt, replayed } = result;
  const data = { applicationId, submittedAt: seoulIso(submittedAt) };
  const headers = replayed ? { "Idempotency-Replayed": "true" } : undefined;
  return uncachedJson(200, { success: true, message: responseMessages.stored, data }, headers);
}

function uncachedJson(
  status: number,
  body: ResponseBody,
  headers: Record<string, string> = {},
): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}
