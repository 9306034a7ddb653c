import { describe, expect, it } from "vitest";
import { nextSummaryAt, summaryWeek } from "#lib/delivery/week.ts";

const seoul = (text: string) => Date.parse(`${text}+09:00`);

describe("the week of a summary", () => {
  it.each([
    ["2026-11-23T09:00:00", "2026-11-23"],
    ["2026-11-23T08:59:59", "2026-11-16"],
    ["2026-11-29T23:59:59", "2026-11-23"],
    ["2026-12-31T12:00:00", "2026-12-28"],
    ["2027-01-04T09:00:00", "2027-01-04"],
    ["2028-03-06T09:00:01", "2028-03-06"],
  ])("at %s is the one of Monday %s", (now, monday) => {
    expect(summaryWeek(seoul(now)).monday).toBe(monday);
  });

  it("ends on Monday at 00:00, is due at 09:00, and late on Wednesday at 09:00", () => {
    expect(summaryWeek(seoul("2026-11-24T15:00:00"))).toEqual({
      monday: "2026-11-23",
      until: seoul("2026-11-23T00:00:00"),
      dueAt: seoul("2026-11-23T09:00:00"),
      lateAt: seoul("2026-11-25T09:00:00"),
    });
  });

  it("is followed by the next Monday's", () => {
    const week = summaryWeek(seoul("2026-11-23T09:00:00"));
    expect(nextSummaryAt(week)).toBe(seoul("2026-11-30T09:00:00"));
  });
});
