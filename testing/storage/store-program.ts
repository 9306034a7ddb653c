import { resolve } from "node:path";
import { aNewApplication } from "#testing/storage/temporary-store.ts";

/**
 * The source of a program with a server's store, for tests of whole processes. `accept(key)` resolves with the outcome,
 * or with the reason of the error; `say(text)` writes a line synchronously.
 */
export function buildStoreProgram(databaseFile: string, body: string): string {
  return `
    import { rmSync, writeSync } from "node:fs";
    import { DatabaseSync } from "node:sqlite";
    import { setTimeout as pause } from "node:timers/promises";
    import { openStore } from ${JSON.stringify(resolve("lib/storage/open.ts"))};
    const databaseFile = ${JSON.stringify(databaseFile)};
    const store = openStore({ databaseFile }, "migrate");
    const application = ${JSON.stringify(aNewApplication())};
    const accept = (idempotencyKey) => store.accept({ ...application, idempotencyKey })
      .then(({ outcome }) => outcome, ({ reason }) => reason);
    const say = (text) => writeSync(1, text + "\\n");
    ${body}`;
}
