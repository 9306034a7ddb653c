/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** The site deletes a backup after this time, as /privacy says. */
export const BACKUP_LIFETIME_MS = 14 * DAY;
