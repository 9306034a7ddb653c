import { expectNoneEscapes } from "#testing/hostile-delivery.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile-values.ts";
import { test } from "#testing/test.ts";

test("no hostile value escapes on its way to the owner, and none is refused", async () => {
  await expectNoneEscapes({
    names: Object.values(HOSTILE_VALUES).flat(),
    messages: HOSTILE_MESSAGES,
  });
});
