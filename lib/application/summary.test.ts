import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAR_TYPES, DAY_TYPES, GENDERS, TIME_SLOTS } from "#lib/application/fields.ts";
import { applicationText, summarise } from "#lib/application/summary.ts";
import { formRegions } from "#lib/content/regions.ts";

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
        fc.constantFrom(...GENDERS),
        fc.constantFrom(...DAY_TYPES),
        fc.constantFrom(...TIME_SLOTS),
        fc.constantFrom(...CAR_TYPES),
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
