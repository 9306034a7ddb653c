import type { FormName } from "#lib/application/fields.ts";

/** Where each form sends its application. */
export const ENDPOINTS = {
  dialog: "/api/sms/training-application",
  contact: "/api/mail/training-application",
} as const satisfies Record<FormName, string>;
