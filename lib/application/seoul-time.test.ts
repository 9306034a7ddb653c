import fc from "fast-check";
import { expect, it } from "vitest";
import {
  koreanDateTime,
  koreanDateWithWeekday,
  saturdayAfterNext,
  seoulDate,
  seoulIso,
  seoulYear,
} from "#lib/application/seoul-time.ts";

const byPlatform = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Seoul", dateStyle: "short" });

const korean = new Intl.DateTimeFormat("ko-KR", {
  timeZone: "Asia/Seoul",
  ...{ month: "long", day: "numeric", weekday: "short", hour: "numeric", minute: "2-digit" },
});

it("dates in Seoul equal those of Intl.DateTimeFormat at any time", () => {
  // Times start in 1989, because Korea had daylight saving time until 1988.
  const aroundMidnight = fc
    .tuple(fc.integer({ min: 7_000, max: 40_000 }), fc.integer({ min: -2_000, max: 2_000 }))
    .map(([days, ms]) => days * 86_400_000 - 9 * 3_600_000 + ms);
  const anyTime = fc.integer({ min: 600_000_000_000, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(fc.oneof(aroundMidnight, anyTime), (epochMs) => {
      const date = byPlatform.format(epochMs);
      expect(seoulDate(epochMs)).toBe(date);
      expect(`${seoulYear(epochMs)}`).toBe(date.slice(0, 4));
      expect(Date.parse(seoulIso(epochMs))).toBe(epochMs);
      const shown = koreanDateTime(epochMs, epochMs);
      expect(shown.replace("(", " (")).toBe(korean.format(epochMs));
    }),
  );
});

const NOVEMBER = "2026-11-22T03:00:00Z";
const at = (time: string) => Date.parse(time);
it.each([
  [koreanDateTime(at("2026-12-01T00:30:00Z"), at(NOVEMBER)), "12월 1일(화) 오전 9:30"],
  [koreanDateTime(at("2026-12-31T15:00:00Z"), at(NOVEMBER)), "2027년 1월 1일(금) 오전 12:00"],
  [koreanDateWithWeekday("2026-11-29", at(NOVEMBER)), "11월 29일(일)"],
  [koreanDateWithWeekday("2027-03-06", at(NOVEMBER)), "2027년 3월 6일(토)"],
  // The new year starts in Seoul nine hours before it starts in UTC.
  [koreanDateWithWeekday("2027-03-06", at("2026-12-31T15:00:00Z")), "3월 6일(토)"],
  [seoulIso(at("2026-12-01T00:30:00Z")), "2026-12-01T09:30:00.000+09:00"],
])("a date or time in Seoul is written as %s", (shown, expected) => {
  expect(shown).toBe(expected);
});

it("the suggested date is a Saturday 7 to 13 calendar days ahead", () => {
  const start = Date.parse("2026-11-20T00:00:00+09:00");
  for (let hour = 0; hour < 24 * 21; hour += 1) {
    const now = start + hour * 3_600_000;
    const date = saturdayAfterNext(now);
    expect(koreanDateWithWeekday(date, now)).toContain("(토)");
    const days = (Date.parse(`${date}T00:00:00+09:00`) - now) / 86_400_000;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThanOrEqual(13);
  }
});
