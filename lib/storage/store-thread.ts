/** The thread that holds the store: does what threaded-store.ts asks, and tells how it ended. */
import { parentPort, workerData } from "node:worker_threads";
import { openStore } from "#lib/storage/open.ts";
import { byTurn, type Call, type CallResult, failureOf } from "#lib/storage/store-calls.ts";

if (!parentPort) throw new Error("store-thread.ts runs in a thread that threaded-store.ts starts");
const port = parentPort;
const store = openStore(workerData.settings, { known: workerData.known });

const tell = byTurn<CallResult>((results) => port.postMessage(results));

port.on("message", (calls: readonly Call[]) => {
  for (const call of calls) void answer(call);
});

async function answer({ id, method, parameters }: Call): Promise<void> {
  try {
    // The caller's compiler has seen that the store has this operation, and that it takes these parameters.
    const operation: (...parameters: unknown[]) => Promise<unknown> = Reflect.get(store, method);
    tell({ id, value: await operation(...parameters) });
  } catch (error) {
    tell({ id, ...failureOf(error) });
  }
}
