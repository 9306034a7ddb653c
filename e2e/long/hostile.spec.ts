import { test } from "#testing/browser/test.ts";
import { expectNoneEscapes } from "#testing/hostile/delivery.ts";

test("no hostile value escapes on its way to the owner, and none is refused", expectNoneEscapes);
