import { test } from "#testing/browser/test.ts";
import { expectPlainTextEverywhere } from "#testing/hostile/delivery.ts";

test("all hostile values reach the owner as plain text", expectPlainTextEverywhere);
