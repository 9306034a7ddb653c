import { afterEach, expect, test, vi } from "vitest";
import { log } from "#lib/log.ts";
import { redirectConsoleToLog } from "#server/next-log.ts";

const original = { ...console };
afterEach(() => void Object.assign(console, original));

const err = new Error("secret of a visitor");

test.each([
  ["debug", "debug", ["compiled"], { from: "next" }, "compiled"],
  ["log", "debug", [" ready", 3], { from: "next" }, "ready 3"],
  ["info", "debug", [{ a: { b: {} } }], { from: "next" }, "{ a: { b: {} } }"],
  ["warn", "warn", ["\u001b[33mslow\u001b[39m"], { from: "next" }, "slow"],
  ["error", "error", ["failed", err], { from: "next", err }, "failed"],
  ["trace", "error", [err], { from: "next", err }, "an error"],
] as const)("console.%s of Next writes a line of level %s", (method, level, parts, ...line) => {
  redirectConsoleToLog();
  const write = vi.spyOn(log, level).mockImplementation(() => undefined);
  const { [method]: print } = console;
  print(...parts);
  expect(write.mock.calls).toEqual([line]);
});
