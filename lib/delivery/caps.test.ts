import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import { earliestTimeUnderCaps } from "#lib/delivery/caps.ts";

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const CAPS = { hourly: 4, daily: 6 };
/** Parses `3` as three segments, and `3?` as three segments of a suspicious application. */
const parseSegments = (text: string) => ({
  segments: Number.parseInt(text, 10),
  suspicion: text.endsWith("?") ? ("honeypot" as const) : undefined,
});

test.each([
  ["nothing was charged", {}, "1", 0],
  ["it fills the cap", { 10: "3" }, "1", 0],
  ["the hour is full", { 10: "4" }, "1", HOUR - 10 * MINUTE],
  ["the oldest charge makes room", { 10: "2", 50: "2" }, "2", 10 * MINUTE],
  ["the oldest charge is not enough", { 10: "2", 50: "1" }, "3", HOUR - 10 * MINUTE],
  ["the day is full", { 70: "2", 120: "4" }, "1", DAY - 2 * HOUR],
  ["the charges are a day old", { 1440: "6" }, "4", 0],
  ["it is larger than the caps", {}, "9", 0],
  ["it is larger than the caps, beside others", { 10: "1" }, "9", DAY - 10 * MINUTE],
  ["the clock was set back", { "-30": "4" }, "1", HOUR],
  ["the clock was set back by an hour", { "-60": "4" }, "1", 0],
  ["it is suspicious, and others are not", { 10: "2" }, "1?", 0],
  ["it is suspicious, as others are", { 10: "1?" }, "1?", DAY - 10 * MINUTE],
  ["only others are suspicious", { 10: "3?" }, "1", 0],
])("a text is sent as soon as the caps allow it: %s", (_what, charged, text, ms) => {
  const charges = Object.entries(charged)
    .map(([minutes, each]) => ({ at: NOW - Number(minutes) * MINUTE, ...parseSegments(each) }))
    .sort((one, other) => one.at - other.at);
  expect(earliestTimeUnderCaps(charges, parseSegments(text), CAPS, NOW) - NOW).toBe(ms);
});
