import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Store } from "#lib/storage/store.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const CANARY = "카나리아";
const PHONE = "+821098761234";

test.for<[what: string, deletion: (store: Store) => Promise<unknown>]>([
  ["an old delivered application", (store) => store.deleteExpired(TEST_NOW + 1)],
  ["every application of a person", (store) => store.forgetPhone(PHONE)],
])("deleting %s leaves no trace on the disk [44]", async ([, deletion], { temporary, store }) => {
  const message = `${CANARY}\n`.repeat(60);
  const application = anApplication({ name: CANARY, phone: PHONE, message });
  await store.accept(aNewApplication({ application }));
  await deliverWith(temporary, { sms: { outcome: "delivered", providerId: CANARY } });
  for (let index = 0; index < 20; index++) {
    await store.accept(aNewApplication({ idempotencyKey: `${index}` }));
  }
  const holding = (text: string) =>
    readdirSync(temporary.folder).filter((name) =>
      readFileSync(join(temporary.folder, name)).includes(text),
    );
  for (const text of [CANARY, PHONE]) expect(holding(text)).not.toEqual([]);
  await deletion(store);
  for (const text of [CANARY, PHONE]) expect(holding(text)).toEqual([]);
  expect((await store.countApplications()).waiting).toBe(20);
});
