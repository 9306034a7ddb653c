/** People see every date and time in Asia/Seoul: UTC+9, without daylight saving time. */
import { DAY, HOUR } from "#lib/application/durations.ts";

export const SEOUL_OFFSET_MS = 9 * HOUR;

const WEEKDAYS = ["일", "월", "화", "수", "목", "금", "토"] as const;

/** Milliseconds since the epoch → `2026-12-01T09:30:00.000+09:00`. */
export const seoulIso = (epochMs: number) =>
  new Date(epochMs + SEOUL_OFFSET_MS).toISOString().replace("Z", "+09:00");

/** Milliseconds since the epoch → `2026-12-01_093000`, for file names. */
export const fileNameTime = (epochMs: number) =>
  seoulIso(epochMs).slice(0, 19).replace("T", "_").replaceAll(":", "");

/** Milliseconds since the epoch → the date in Seoul, `2026-12-01`. */
export const seoulDate = (epochMs: number) => seoulIso(epochMs).slice(0, 10);

export const seoulYear = (epochMs: number) => Number(seoulIso(epochMs).slice(0, 4));

/** Milliseconds since the epoch → `12월 1일(화) 오전 9:30`, with the year if it is not the current year. */
export function koreanDateTime(epochMs: number, now = Date.now()): string {
  const iso = seoulIso(epochMs);
  const hour = Number(iso.slice(11, 13));
  const time = `${hour < 12 ? "오전" : "오후"} ${hour % 12 || 12}:${iso.slice(14, 16)}`;
  return `${koreanDateWithWeekday(iso.slice(0, 10), now)} ${time}`;
}

/** `2026-11-29` → `11월 29일(일)`, with the year if it is not the current year in Seoul. */
export const koreanDateWithWeekday = (date: string, now = Date.now()) =>
  `${koreanDate(date, now)}(${koreanWeekday(date)})`;

export const koreanDate = (date: string, now = Date.now()) =>
  koreanDateWithYear(date).replace(`${seoulYear(now)}년 `, "");

/** `2026-11-29` → `2026년 11월 29일`. */
export function koreanDateWithYear(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${year}년 ${month}월 ${day}일`;
}

export const koreanWeekday = (date: string) =>
  WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "";

/** Public holidays count as weekdays. */
export const toDayType = (date: string) =>
  "토일".includes(koreanWeekday(date)) ? "weekend" : "weekday";

/** True for an existing date, `YYYY-MM-DD`; false for the year 0026, which a date field makes of a typed `26`. */
export function isCalendarDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/** A Saturday in Seoul, `2026-12-05`, 7 to 13 days ahead, so that a cached page still shows a future date. */
export function saturdayAfterNext(now: number): string {
  const today = new Date(now + SEOUL_OFFSET_MS).getUTCDay();
  return seoulDate(now + (7 + ((6 - today + 7) % 7)) * DAY);
}
