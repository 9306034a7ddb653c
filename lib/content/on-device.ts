/** How long a visitor's browser keeps the contents of a form. The code and /privacy both read these. */

/** Lifetime of a queued application. The server remembers its key as long, so a resend never becomes a second one. */
export const KEEP_DAYS = 7;
/** Lifetime of a draft, which is shown only in the tab that it was typed in. */
export const DRAFT_HOURS = 24;
/** Lifetime of a receipt after the visitor has seen it. */
export const RECEIPT_HOURS = 24;
