import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELDS } from "#lib/application/fields.ts";
import { applicationText, summarise } from "#lib/application/summary.ts";
import { formRegions } from "#lib/content/regions.ts";
import { anyText } from "#testing/any-text.ts";
import { filledIn } from "#testing/fixtures/browser-application.ts";

describe("applicationText", () => {
  it("says who applies, then the summary", () => {
    expect(
      applicationText({
        name: "김여주",
        gender: "female",
        age: 32,
        region: "이천",
        preferredDate: "2026-12-01",
        dayType: "weekday",
        timeSlot: "morning",
        carType: "own",
      }),
    ).toBe("이름: 김여주\n운전연수 신청: 여성/32/이천/2026-12-01/평일/오전/자차");
  });

  it("carries the message with its wishes, shortened to what a link can hold", () => {
    const short = { ...filledIn, message: "여성 강사 희망, SUV 연수차 희망\n주차가 어려워요." };
    expect(applicationText(short)).toMatch(/\n남기실 말씀: 여성 강사 희망, SUV 연수차 희망\n주차/);
    fc.assert(
      fc.property(anyText({ maxLength: 1_000 }), (words) => {
        const text = applicationText({ ...filledIn, message: `SUV 연수차 희망 ${words}` });
        expect(encodeURIComponent(text).length).toBeLessThanOrEqual(2_000);
        expect(text).toContain("남기실 말씀: SUV 연수차 희망");
      }),
    );
    const long = applicationText({ ...filledIn, message: "가".repeat(1_000) });
    expect(long).toMatch(/가 \(뒤는 생략\)$/);
  });
});

describe("summarise", () => {
  it("writes the line of the specification", () => {
    expect(
      summarise({
        gender: "female",
        age: 32,
        region: "이천",
        preferredDate: "2026-12-01",
        dayType: "weekday",
        timeSlot: "morning",
        carType: "own",
      }),
    ).toBe("운전연수 신청: 여성/32/이천/2026-12-01/평일/오전/자차");
  });

  it("says the same for codes and for labels", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FIELDS.gender.options),
        fc.constantFrom(...FIELDS.dayType.options),
        fc.constantFrom(...FIELDS.timeSlot.options),
        fc.constantFrom(...FIELDS.carType.options),
        fc.constantFrom(...formRegions),
        (gender, dayType, timeSlot, carType, region) => {
          const common = { age: 40, region, preferredDate: "2026-12-01" };
          const byCode = summarise({
            ...common,
            gender: gender.code,
            dayType: dayType.code,
            timeSlot: timeSlot.code,
            carType: carType.code,
          });
          const byLabel = summarise({
            ...common,
            gender: gender.label,
            dayType: dayType.label,
            timeSlot: timeSlot.label,
            carType: carType.label,
          });
          expect(byCode).toBe(byLabel);
          expect(byCode.split("/")).toHaveLength(7);
        },
      ),
    );
  });
});
