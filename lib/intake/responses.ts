/** The JSON responses of the contract. Nothing in them comes from the request. */
import type { AnswerBody } from "#lib/application/answer.ts";
import type { Application } from "#lib/application/fields.ts";
import { answerMessages } from "#lib/application/messages.ts";
import type { FieldErrors } from "#lib/application/schema.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";

/** When a browser may try again after a 503, in seconds. */
const RETRY_AFTER_SECONDS = 10;

/** A request that was not taken. */
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

/** Part of the body is still under way: the connection cannot carry another request. */
const closing = { Connection: "close" };

export const refusals = {
  malformed: { status: 400, message: answerMessages.malformed },
  crossSite: { status: 403, message: answerMessages.crossSite },
  tooSlow: { status: 408, message: answerMessages.tooSlow, headers: closing },
  tooLarge: { status: 413, message: answerMessages.tooLarge, headers: closing },
  unsupportedType: { status: 415, message: answerMessages.unsupportedType },
  keyReused: { status: 422, message: answerMessages.keyReused },
  unavailable: {
    status: 503,
    message: answerMessages.unavailable,
    headers: { "Retry-After": `${RETRY_AFTER_SECONDS}` },
  },
  invalid: (errors: FieldErrors) => ({ status: 400, message: answerMessages.invalid, errors }),
  tooMany: (retryAfterSeconds: number) => ({
    status: 429,
    message: answerMessages.tooMany,
    headers: { "Retry-After": `${retryAfterSeconds}` },
  }),
} as const satisfies Record<string, Refusal | ((fact: never) => Refusal)>;

/** For a script. A browser without JavaScript gets a page (lib/intake/form-result.ts). */
export function jsonResponse(result: IntakeResult): Response {
  if (!result.ok) {
    const { status, message, errors, headers } = result.refusal;
    return json(status, { success: false, message, ...(errors && { errors }) }, headers);
  }
  const { applicationId, submittedAt, replayed } = result;
  const data = { applicationId, submittedAt: seoulIso(submittedAt) };
  const headers = replayed ? { "Idempotency-Replayed": "true" } : undefined;
  return json(200, { success: true, message: answerMessages.stored, data }, headers);
}

function json(status: number, body: AnswerBody, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}
