/**
 * Model test of the delivery: random histories run on the real worker and the real store. `npm test` tries the same
 * histories each time. `DELIVERY_HISTORIES=1000000 npx vitest run lib/delivery/model` tries other histories;
 * `DELIVERY_SEED` repeats a failed run.
 */
import fc from "fast-check";
import { anyHistory, type HistoryAction, type HistorySettings } from "#testing/delivery/actions.ts";
import { DeliveryHistory } from "#testing/delivery/history.ts";
import { describeRulesOff } from "#testing/delivery/rules.ts";
import {
  RULES_AFTER_EACH_ACTION,
  RULES_AT_THE_END,
  RULES_OF_REPAIR,
} from "#testing/delivery/rules-of-deliveries.ts";
import { RULES_OF_HEALTH } from "#testing/delivery/rules-of-health.ts";
import {
  RULES_OF_ARRIVAL,
  RULES_OF_SEARCH,
  RULES_OF_SENDING,
} from "#testing/delivery/rules-of-messages.ts";
import { openStoreInMemory, type StoreInMemory } from "#testing/storage/store-in-memory.ts";

const ALL_RULES = [
  ...[RULES_OF_SENDING, RULES_OF_ARRIVAL, RULES_OF_SEARCH],
  ...[RULES_AFTER_EACH_ACTION, RULES_OF_REPAIR, RULES_AT_THE_END, RULES_OF_HEALTH],
];

const { DELIVERY_HISTORIES, DELIVERY_SEED } = process.env;
/** Number of histories in each of the two test files, which run in parallel. */
export const HISTORY_COUNT = Number(DELIVERY_HISTORIES ?? 20_000) / 2;
/** Number of histories after which a long run prints how far it has come. */
const PROGRESS_INTERVAL = 50_000;
export const HISTORIES_TIMEOUT_MS = 60_000 + HISTORY_COUNT * 200;
const seed = Number(DELIVERY_SEED ?? (DELIVERY_HISTORIES ? Date.now() : 1));

/** Returns the number of histories. @throws for the first history that breaks a rule, in its shortest form */
export async function runHistories(settings: fc.Arbitrary<HistorySettings>): Promise<number> {
  const memory = await openStoreInMemory();
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(settings, anyHistory, async (first, history) => {
      await runHistory(memory, first, history);
      tried += 1;
      if (tried % PROGRESS_INTERVAL === 0) console.info(`${tried} histories`);
    }),
    { numRuns: HISTORY_COUNT, seed },
  );
  await memory.store.close();
  return tried;
}

/** @throws with the broken rule, the rules that were not checked, and every message in its order */
export async function runHistory(
  memory: StoreInMemory,
  first: HistorySettings,
  actions: readonly HistoryAction[],
): Promise<void> {
  const history = new DeliveryHistory(memory, first);
  try {
    for (const action of actions) await history.do(action);
    await history.checkHealth();
    await history.letEverythingArrive();
  } catch (error) {
    const { world } = history;
    if (error instanceof Error)
      error.message += `\n${describeRulesOff(ALL_RULES, world)}\n${world.describe()}`;
    throw error;
  }
}
