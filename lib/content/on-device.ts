/** How long the browser of a visitor keeps what was written into a form: what the code does and /privacy says. */

/** An application that could not be sent; as long as the server knows its key, so that it never becomes two. */
export const KEEP_DAYS = 7;
/** A draft is shown only in the tab that it was typed in. */
export const DRAFT_HOURS = 24;
/** The number of an application that was received, once the visitor has seen it. */
export const RECEIPT_HOURS = 24;
