/**
 * The server of a host of testing/deploy/stand-in-host.ts, with the real store. A version with the file `no-start` ends
 * at once, and so does a trial that has a mail channel. A version with the file `unwell` answers 503, except during its
 * trial.
 */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { type Application, FIELD_NAMES } from "#lib/application/fields.ts";
import { config } from "#lib/config.ts";
import { createHealthChecks } from "#lib/delivery/health.ts";
import { openStore } from "#lib/storage/open.ts";

const { port, hostname, dataDir, mail } = config();
const store = openStore(config(), "migrate");
const { answerHealth } = createHealthChecks({ store, config: config(), worker: undefined });
const isTrial = dataDir.endsWith("/trial");
if (existsSync("no-start") || (isTrial && mail)) process.exit(1);
const isUnwell = existsSync("unwell") && !isTrial;
const application = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, name === "age" ? 30 : "x"]),
) as Application;

async function accept(idempotencyKey: string): Promise<string> {
  const request = { route: "sms", idempotencyKey, application, now: Date.now() } as const;
  const acceptance = await store.accept(request);
  return "applicationId" in acceptance ? acceptance.applicationId : "";
}

createServer(async ({ url = "", method }, response) => {
  try {
    if (isUnwell) response.writeHead(503);
    else if (url.startsWith("/api/")) response.writeHead((await answerHealth()).status);
    else if (method === "POST") response.write(await accept(url));
    else response.write((await store.list({})).map((each) => each.applicationId).join());
  } catch {
    response.writeHead(503);
  }
  response.end();
}).listen(port, hostname);
// The store opens at its first use: this read changes the tables at the start.
await store.readNote("backup").catch(() => undefined);
