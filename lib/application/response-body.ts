import { isApplicationId } from "#lib/application/application-id.ts";

export interface Receipt {
  /** Eight characters, without the hyphen that people see. */
  applicationId: string;
  /** ISO 8601 in Seoul's time: `2026-12-01T09:30:00.000+09:00`. */
  submittedAt: string;
}

export type ResponseBody =
  | { success: true; message: string; data: Receipt }
  | { success: false; message: string; errors?: Partial<Record<string, string[]>> };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined for a body without a receipt, such as the login page of a Wi-Fi network, which has status 200 too. */
export function parseReceipt(body: unknown): Receipt | undefined {
  if (!isObject(body) || body.success !== true || !isObject(body.data)) return undefined;
  const { applicationId, submittedAt } = body.data;
  if (typeof applicationId !== "string" || typeof submittedAt !== "string") return undefined;
  const bare = applicationId.replace("-", "");
  const isReceipt = isApplicationId(bare) && !Number.isNaN(Date.parse(submittedAt));
  return isReceipt ? { applicationId: bare, submittedAt } : undefined;
}

/** Only responses of this site with `success: false` have this header. */
export const REFUSAL_HEADER = "Application-Refused";

export interface RefusalDetails {
  errorText: string;
  errors: Record<string, string>;
}

export function parseRefusal(body: unknown): RefusalDetails | undefined {
  if (!isObject(body) || body.success !== false || typeof body.message !== "string")
    return undefined;
  const errors: Record<string, string> = {};
  for (const [field, messages] of Object.entries(isObject(body.errors) ? body.errors : {})) {
    const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
    if (typeof first === "string") errors[field] = first;
  }
  return { errorText: body.message, errors };
}
