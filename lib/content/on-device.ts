/** Limits of what a visitor's device keeps of a form. The code and /privacy both read this file. */

/** Days of resending a queued application. The server keeps its idempotency key as long, so no resend is stored. */
export const RECORD_DAYS = 7;
/** Hours for which a draft is kept. Only the tab in which a draft was typed shows the draft. */
export const DRAFT_HOURS = 24;
/** Hours for which a receipt is shown after the visitor has seen it. */
export const RECEIPT_HOURS = 24;
