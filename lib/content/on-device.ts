/** Limits of what a visitor's device keeps of a form. The code and /privacy both read this file. */

/** Days for which a queued application is sent. The server remembers its key as long: a resend stores nothing new. */
export const KEEP_DAYS = 7;
/** Hours for which a draft is kept. Only its own tab shows it. */
export const DRAFT_HOURS = 24;
/** Hours for which a receipt is shown after the visitor has seen it. */
export const RECEIPT_HOURS = 24;
