import { expect } from "@playwright/test";

/** Polls faster than `expect.poll`, which slows down to one poll per second. */
export const eventually: typeof expect.poll = (actual, options = {}) =>
  expect.poll(actual, {
    intervals: [20, 50, 100],
    ...(typeof options === "string" ? { message: options } : options),
  });
