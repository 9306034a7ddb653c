import { floodFromOneAddress, manyByMail, manyOverTheCap } from "#testing/many-senders.ts";
import { test } from "#testing/test.ts";

test.setTimeout(180_000);

test("10,000 requests from one address with forged ones are limited to ten applications", () =>
  floodFromOneAddress(10_000));

test("1,000 applications from 1,000 addresses are all stored, and all reach the owner", () =>
  manyByMail(1_000));

test("1,000 from 1,000 addresses send no more SMS than the cap; the rest reaches the owner by digest", () =>
  manyOverTheCap(1_000));
