import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type FormResult,
  formResult,
  keepFormResult,
  RESULT_KEPT_MS,
} from "#lib/intake/form-results.ts";
import { processGlobals } from "#lib/process-globals.ts";

const REFUSED: FormResult = {
  kind: "refused",
  form: "dialog",
  message: "",
  errors: {},
  values: {},
};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  delete processGlobals.formResults;
});

test("a result is there for half an hour, and then gone from memory", async () => {
  const token = await keepFormResult(REFUSED);
  vi.advanceTimersByTime(RESULT_KEPT_MS - 1);
  expect(await formResult(token)).toBe(REFUSED);
  vi.advanceTimersByTime(1);
  expect(await formResult(token)).toBeUndefined();
  expect(processGlobals.formResults?.size).toBe(0);
});

test("each result has a token of its own, and no other opens it", async () => {
  const tokens = await Promise.all(Array.from({ length: 50 }, () => keepFormResult(REFUSED)));
  expect(new Set(tokens).size).toBe(50);
  expect(await formResult("guessed")).toBeUndefined();
});

test("a flood pushes out the oldest results instead of filling the memory", async () => {
  const first = await keepFormResult(REFUSED);
  for (let index = 0; index < 2_000; index++) await keepFormResult(REFUSED);
  const last = await keepFormResult(REFUSED);
  expect(processGlobals.formResults?.size).toBeLessThanOrEqual(500);
  expect(await formResult(first)).toBeUndefined();
  expect(await formResult(last)).toBe(REFUSED);
});
