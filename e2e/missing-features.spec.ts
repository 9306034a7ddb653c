import { expectFormsSentWithout, FEATURES, INDEXED_DB } from "#testing/missing-features.ts";
import { test } from "#testing/test.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

test("without what a browser of two years ago may not have both forms are sent, and what could not be sent is, once", ({
  page,
  site,
  smtp,
  twilio,
}) => expectFormsSentWithout(FEATURES, "없는여주", { page, site, smtp, twilio }));

test("without IndexedDB both forms are sent", ({ page, site, smtp, twilio }) =>
  expectFormsSentWithout([INDEXED_DB], "빈여주", { page, site, smtp, twilio }));
