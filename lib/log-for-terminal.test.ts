import { expect, test } from "vitest";
import { readableLine } from "#lib/log-for-terminal.ts";

const time = new Date(2026, 11, 1, 9, 30, 12).toISOString();

test("a line of the log is the time, the level, the sentence and the rest", () => {
  expect(readableLine(JSON.stringify({ level: "warn", time, msg: "a sentence" }))).toBe(
    "09:30:12 warn  a sentence\n",
  );
  expect(readableLine(JSON.stringify({ level: "info", time, channel: "sms", msg: "taken" }))).toBe(
    '09:30:12 info  taken {"channel":"sms"}\n',
  );
});

test("nothing in it moves the cursor or begins another line", () => {
  const msg = "one\ntwo\r\u001b[2J\u009b1m\u202e";
  expect(
    readableLine(JSON.stringify({ level: "error", time, path: msg, msg })).slice(0, -1),
  ).not.toMatch(/\p{C}/u);
});
