import { expect } from "@playwright/test";

/** `expect.poll` slows down to one try per second; these conditions become true within milliseconds. */
export const eventually: typeof expect.poll = (actual, options = {}) =>
  expect.poll(actual, {
    intervals: [20, 50, 100],
    ...(typeof options === "string" ? { message: options } : options),
  });
