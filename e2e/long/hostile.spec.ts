import { test } from "#testing/browser/test.ts";
import { expectPlainTextEverywhere } from "#testing/hostile/delivery.ts";

test(
  "hostile values reach the owner as plain text, and none is refused",
  expectPlainTextEverywhere,
);
