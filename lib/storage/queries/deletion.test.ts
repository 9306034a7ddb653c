import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oneTurn } from "#testing/one-turn.ts";
import {
  aNewApplication,
  anApplication,
  postgresUrl,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

const CANARY = "카나리아";

// PostgreSQL keeps its files and its journal itself.
test.skipIf(postgresUrl)(
  "what is deleted leaves nothing of it in the database file or its journal",
  async () => {
    await using temporary = temporaryStore();
    const { store, folder } = temporary;
    const application = anApplication({ name: CANARY, message: `${CANARY}\n`.repeat(60) });
    await store.accept(aNewApplication({ application }));
    await oneTurn(temporary, { sms: { outcome: "delivered", providerId: "SM1" } });
    for (let index = 0; index < 20; index++) {
      await store.accept(aNewApplication({ idempotencyKey: `${index}` }));
    }
    const holdIt = () =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(CANARY));
    expect(holdIt()).not.toEqual([]);
    await store.deleteDeliveredBefore(TEST_NOW + 1);
    expect(holdIt()).toEqual([]);
    expect((await store.counts(TEST_NOW)).waiting).toBe(20);
  },
);
