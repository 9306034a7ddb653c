/** Limits of what a visitor's device keeps of a form. The code and /privacy both read this file. */

/** Days for which a queued or rejected application is kept. The server keeps its idempotency key for longer. */
export const RECORD_DAYS = 7;
/** Hours for which a draft is kept. Only the tab in which a draft was typed shows the draft. */
export const DRAFT_HOURS = 24;
/** Hours for which a receipt is shown after the visitor has seen it. */
export const RECEIPT_HOURS = 24;
