/** Every date and time that people see is one of Asia/Seoul: UTC+9, without daylight saving. */

const OFFSET_MS = 9 * 60 * 60 * 1_000;

const dateTime = new Intl.DateTimeFormat("ko-KR", {
  timeZone: "Asia/Seoul",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

/** Milliseconds since the epoch → `2026-12-01T09:30:00.000+09:00`. */
export function seoulIso(epochMs: number): string {
  return new Date(epochMs + OFFSET_MS).toISOString().replace("Z", "+09:00");
}

/** Milliseconds since the epoch → the calendar date in Seoul, `2026-12-01`. */
export function seoulDate(epochMs: number): string {
  return seoulIso(epochMs).slice(0, 10);
}

/** Milliseconds since the epoch → the year in Seoul. */
export function seoulYear(epochMs: number): number {
  return Number(seoulIso(epochMs).slice(0, 4));
}

/** Milliseconds since the epoch → `2026. 12. 1. 오전 9:30`. */
export function seoulDateTime(epochMs: number): string {
  return dateTime.format(epochMs);
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD` (so not 2026-02-30). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}
