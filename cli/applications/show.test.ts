import { expect, test } from "vitest";
import { contentLines } from "#cli/applications/show.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";

test("show says 그날 instead of 오늘 for the day of the application", () => {
  const earlierToday = { applicationId: "8ABCDEFG", count: 2 };
  const lines = contentLines({ ...aStoredApplication(), earlierToday });
  expect(lines.join("\n")).toContain("그날 두 번째 신청입니다(앞 신청 8ABC-DEFG).");
});
