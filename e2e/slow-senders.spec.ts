import { expectNobodyWaits } from "#testing/slow-senders.ts";
import { test } from "#testing/test.ts";

test("slow headers, slow bodies and a body without end cost neither memory nor a place in the queue", async () => {
  test.setTimeout(120_000);
  await expectNobodyWaits(3_000);
});
