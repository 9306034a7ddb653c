/**
 * Model test of the delivery: random histories run on the real worker and the real store. `npm test` tries the same
 * histories each time. `DELIVERY_HISTORIES=1000000 npx vitest run lib/delivery/model` tries other histories;
 * `DELIVERY_SEED` repeats a failed run.
 */
import fc from "fast-check";
import { type HistoryAction, type HistorySettings, histories } from "#testing/delivery/actions.ts";
import {
  type Delivery,
  FINAL_CHECKS,
  REPAIR_CHECKS,
  REST_CHECKS,
} from "#testing/delivery/delivery-checks.ts";
import { HEALTH_CHECKS } from "#testing/delivery/health-checks.ts";
import { DeliveryHistory } from "#testing/delivery/history.ts";
import { type Checks, findBrokenRule } from "#testing/delivery/rules.ts";
import { openStoreInMemory, type StoreInMemory } from "#testing/storage/store-in-memory.ts";

const { DELIVERY_HISTORIES, DELIVERY_SEED } = process.env;
/** Number of histories in each of the two test files, which run in parallel. */
export const HISTORY_COUNT = Number(DELIVERY_HISTORIES ?? 20_000) / 2;
export const HISTORIES_TIMEOUT_MS = 60_000 + HISTORY_COUNT * 200;
const seed = Number(DELIVERY_SEED ?? (DELIVERY_HISTORIES ? Date.now() : 1));

/** Returns the number of histories. @throws for the first history that breaks a rule, with the shortest like it */
export async function runHistories(settings: fc.Arbitrary<HistorySettings>): Promise<number> {
  const memory = await openStoreInMemory();
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(settings, histories, async (first, history) => {
      await runHistory(memory, first, history);
      tried += 1;
    }),
    { numRuns: HISTORY_COUNT, seed },
  );
  await memory.store.close();
  return tried;
}

/** @throws with the broken rule, the events so far, and every message in its order */
export async function runHistory(
  memory: StoreInMemory,
  first: HistorySettings,
  actions: readonly HistoryAction[],
): Promise<void> {
  const history = new DeliveryHistory(memory, first);
  try {
    for (const action of actions) {
      await history.do(action);
      expectRules(history, REST_CHECKS);
    }
    const findings = await history.findings();
    const spoken = { findings, deliveries: history.deliveries() };
    refuse(findBrokenRule(HEALTH_CHECKS, spoken, history.world));
    await history.letEverythingArrive(() => expectRules(history, REPAIR_CHECKS));
    expectRules(history, REST_CHECKS);
    expectRules(history, FINAL_CHECKS);
  } catch (error) {
    if (error instanceof Error) error.message += `\n${history.describe()}`;
    throw error;
  }
}

function expectRules(history: DeliveryHistory, checks: Checks<Delivery>): void {
  for (const delivery of history.deliveries())
    refuse(findBrokenRule(checks, delivery, history.world));
  const [left] = history.leftovers();
  if (left) refuse(`Broken: nothing is left behind: ${left}`);
}

function refuse(broken: string | undefined): void {
  if (broken !== undefined) throw new Error(broken);
}
