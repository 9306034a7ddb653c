/** The store in a thread of its own, so that its processor time and its fsyncs hold up no request. */
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import type { Config } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import { ANY_KNOWN, type Known } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { byTurn, type Call, type CallResult } from "#lib/storage/store-calls.ts";

/** By path from the site's folder, not by URL: Node runs it as it is, also where Next has bundled this module. */
const THREAD = join("lib", "storage", "store-thread.ts");

/** A thread that ended is started again at most this often. */
const START_PAUSE_MS = 1_000;
/** A small young generation: the rows of a group live for milliseconds, and the memory is the site's. */
const LIMITS = { maxYoungGenerationSizeMb: 4 };

type Settings = Pick<Config, "databaseFile"> & Partial<Pick<Config, "databaseUrl">>;

/**
 * The store of these settings. Its thread starts with the first call. If the thread ends by itself, the calls that
 * wait reject with StorageUnavailable, and a later call starts another.
 */
export function openThreadedStore(settings: Settings, thread = THREAD): Store {
  let current: StoreThread | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  /** A new thread begins no new database where the last one had one. */
  let known: Known;
  let closed = false;

  function running(): StoreThread {
    if (closed)
      throw new StorageUnavailable("The site is stopping; its database is closed.", "closed");
    if (current?.running) return current;
    if (performance.now() - startedAt < START_PAUSE_MS) throw ended();
    startedAt = performance.now();
    if (current?.hadDatabase) known = ANY_KNOWN;
    current = new StoreThread(thread, settings, known);
    return current;
  }

  const close = async () => {
    closed = true;
    await current?.close();
  };
  // An operation's name is all that this side needs to know: the thread has the operations.
  return new Proxy({ close } as Store, {
    get: (own, name) => {
      // What has a `then` is taken for a promise.
      if (name === "then" || typeof name === "symbol") return undefined;
      if (name in own) return Reflect.get(own, name);
      return (...parameters: Call["parameters"]) => call(name, parameters);
    },
  });

  async function call(method: string, parameters: Call["parameters"]): Promise<unknown> {
    return running().call(method, parameters);
  }
}

const ended = () =>
  new StorageUnavailable(
    "The thread that holds the database has ended; it is started again.",
    "failing",
  );

class StoreThread {
  running = true;
  hadDatabase = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve(value: unknown): void; reject(reason: unknown): void }
  >();
  readonly #send = byTurn<Call>((calls) => this.#worker.postMessage(calls));
  #calls = 0;

  constructor(thread: string, { databaseFile, databaseUrl }: Settings, known: Known) {
    this.#worker = new Worker(resolve(thread), {
      workerData: { settings: { databaseFile, databaseUrl }, known },
      // Flags of the process, such as a script on its command line, are not meant for this file.
      execArgv: [],
      resourceLimits: LIMITS,
    });
    this.#worker.on("message", (results: readonly CallResult[]) => {
      for (const result of results) this.#settle(result);
    });
    this.#worker.on("error", (err) =>
      log.error({ err }, "the thread that holds the database failed"),
    );
    this.#worker.on("exit", () => this.#end());
  }

  call(method: string, parameters: Call["parameters"]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#calls += 1;
      this.#waiting.set(this.#calls, { resolve, reject });
      this.#send({ id: this.#calls, method, parameters });
    });
  }

  async close(): Promise<void> {
    if (!this.running) return;
    await this.call("close", []);
    await this.#worker.terminate();
  }

  #settle(result: CallResult): void {
    const { resolve, reject } = this.#waiting.get(result.id) ?? {};
    this.#waiting.delete(result.id);
    this.hadDatabase ||= "value" in result;
    if ("value" in result) resolve?.(result.value);
    else if ("error" in result) reject?.(result.error);
    else reject?.(new StorageUnavailable(result.unavailable.message, result.unavailable.reason));
  }

  #end(): void {
    this.running = false;
    for (const { reject } of this.#waiting.values()) reject(ended());
    this.#waiting.clear();
  }
}
