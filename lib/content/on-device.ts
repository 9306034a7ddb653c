/** Days for which a device shows the number of a received application. The code and /privacy both read this file. */
export const RECEIPT_DAYS = 7;
