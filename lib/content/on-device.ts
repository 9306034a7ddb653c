/** How long a visitor's device keeps the contents of a form. The code and /privacy both read this file. */

/**
 * Days for which a queued application is sent. The server remembers its key as long, so a resend is never a second
 * application.
 */
export const KEEP_DAYS = 7;
/** Hours of a draft, which only its own tab shows. */
export const DRAFT_HOURS = 24;
/** Hours of a receipt after the visitor has seen it. */
export const RECEIPT_HOURS = 24;
