import {
  DENIED_FEATURES,
  expectFormsSentWithout,
  MISSING_FEATURES,
} from "#testing/browser/missing-features.ts";
import { test } from "#testing/browser/test.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

for (const [what, features] of [
  ["the features of the last two years", MISSING_FEATURES],
  ["permission to store data", DENIED_FEATURES],
] as const)
  test(`both forms send applications without ${what} [60][70]`, ({ page, site, smtp, twilio }) =>
    expectFormsSentWithout(features, `없는${features.length}여주`, { page, site, smtp, twilio }));
