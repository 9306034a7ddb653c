import { expect } from "@playwright/test";

/** As `expect.poll`, which looks once a second after a while; what is waited for here comes within milliseconds. */
export const eventually: typeof expect.poll = (actual, options = {}) =>
  expect.poll(actual, {
    intervals: [20, 50, 100],
    ...(typeof options === "string" ? { message: options } : options),
  });
