import { setImmediate as endOfTurn } from "node:timers/promises";
import { StorageUnavailable } from "#lib/storage/errors.ts";

/** SQLite commits a group without yielding to the event loop, so a larger group would delay other requests. */
const MAX_GROUP = 16;

/**
 * Commits items that wait at the same time in groups, each with one fsync. If a group fails, its items are committed
 * one by one, so that only a faulty item fails. If the store is unavailable, all waiting items fail at once.
 */
export function groupCommits<Item, Result>(commit: (items: readonly Item[]) => Promise<Result[]>) {
  type Waiting = PromiseWithResolvers<Result> & { item: Item };
  let queue: Waiting[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await endOfTurn();
      await commitGroup(queue.splice(0, MAX_GROUP));
    }
    draining = undefined;
  }

  async function commitGroup(group: Waiting[]): Promise<void> {
    try {
      const results = await commit(group.map(({ item }) => item));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      if (error instanceof StorageUnavailable && error.reason !== "bad-statement") {
        for (const { reject } of group.concat(queue)) reject(error);
        queue = [];
      } else if (group.length === 1) {
        group[0]?.reject(error);
      } else {
        for (const alone of group) await commitGroup([alone]);
      }
    }
  }

  return {
    submit(item: Item): Promise<Result> {
      const waiting = { item, ...Promise.withResolvers<Result>() };
      queue.push(waiting);
      draining ??= drain();
      return waiting.promise;
    },
    async waitUntilIdle(): Promise<void> {
      await draining;
    },
  };
}
