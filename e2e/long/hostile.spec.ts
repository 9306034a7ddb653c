import { expectNoneEscapes } from "#testing/hostile-delivery.ts";
import { test } from "#testing/test.ts";

test("no hostile value escapes on its way to the owner, and none is refused", expectNoneEscapes);
