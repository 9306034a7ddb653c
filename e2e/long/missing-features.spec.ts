import {
  DENIED_FEATURES,
  expectFormsSentWithout,
  MISSING_FEATURES,
} from "#testing/browser/missing-features.ts";
import { test } from "#testing/browser/test.ts";

for (const [index, feature] of [...MISSING_FEATURES, ...DENIED_FEATURES].entries()) {
  test(`both forms send applications without ${feature.name} [60]`, ({
    page,
    site,
    smtp,
    twilio,
    quiet,
  }) => {
    quiet(/Failed to load resource/);
    return expectFormsSentWithout([feature], `없는${index}여주`, { page, site, smtp, twilio });
  });
}
