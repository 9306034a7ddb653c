/**
 * `npm run bench:accept`: the cost of accepting an application, compared with a Next handler that stores nothing. The
 * requests to both alternate, so that other work on the machine slows down both. See docs/performance.md.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { jsonBody } from "../testing/browser/form.ts";
import { findFreePort } from "../testing/site/free-port.ts";
import { HIGH_LIMITS } from "../testing/site/site.ts";
import { PLAIN_HANDLER_PATH, serveBlankPage } from "./blank-page.ts";
import { medians } from "./median.ts";
import { startProgram } from "./start-program.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = 5;
const CONNECTIONS = 32;
const STEADY_PER_SECOND = 50;
const ROUTE = "/api/mail/training-application";

let sent = 0;

function nextApplication() {
  sent += 1;
  const headers = {
    "content-type": "application/json",
    "idempotency-key": `${process.pid}-${sent}`,
  };
  return { body: jsonBody({ name: `김여주${sent}` }), headers };
}

/** Sends as many applications as possible, or `perSecond` of them. */
async function measureApplications(
  url: string,
  perSecond?: number,
): Promise<Record<string, number>> {
  const result = await autocannon({
    url,
    method: "POST",
    connections: CONNECTIONS,
    duration: SECONDS,
    ...(perSecond && { overallRate: perSecond }),
    requests: [{ setupRequest: (request) => ({ ...request, ...nextApplication() }) }],
  });
  const refused = result.non2xx + result.errors;
  if (refused > 0) throw new Error(`${url}: ${refused} requests were not taken`);
  const { p50, p99 } = result.latency;
  return { perSecond: result["2xx"] / result.duration, p50, p99 };
}

function buildSlowDiskEnv(folder: string): Record<string, string> {
  const shim = join(folder, "slow-fsync.so");
  execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, "measure/slow-fsync.c", "-ldl"]);
  return { LD_PRELOAD: shim };
}

async function serveSite(dataDir: string, env: Record<string, string>) {
  const port = `${await findFreePort()}`;
  return startProgram(`http://127.0.0.1:${port}`, [process.execPath, "measure/server.ts"], {
    env: {
      ...process.env,
      ...{ NODE_ENV: "production", DATA_DIR: dataDir, PORT: port, HOSTNAME: "127.0.0.1" },
      ...HIGH_LIMITS,
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function compare(
  name: string,
  dataDir: string,
  env: Record<string, string>,
  plainHandlerUrl: string,
) {
  const site = await serveSite(dataDir, env);
  const url = site.url + ROUTE;
  const found: Record<"plain" | "stores" | "steady", Record<string, number>[]> = {
    plain: [],
    stores: [],
    steady: [],
  };
  for (const each of [plainHandlerUrl, url]) await measureApplications(each);
  for (let round = 0; round < ROUNDS; round++) {
    found.plain.push(await measureApplications(plainHandlerUrl));
    found.stores.push(await measureApplications(url));
    found.steady.push(await measureApplications(url, STEADY_PER_SECOND));
  }
  await site.stop();
  const [nothing, stores] = [medians(found.plain), medians(found.stores)];
  console.info(`\n${name}`);
  console.table({
    [`plain Next handler that stores nothing, ${CONNECTIONS} connections`]: nothing,
    [`stores, ${CONNECTIONS} connections`]: stores,
    [`stores, ${STEADY_PER_SECOND}/s`]: medians(found.steady),
  });
  console.info(
    `stores / plain Next handler: ${(Number(stores.perSecond) / Number(nothing.perSecond)).toFixed(2)}`,
  );
}

const formatLoadAverage = () => `load ${loadavg().map((each) => each.toFixed(2))}`;
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const blankSite = await serveBlankPage();
const plainHandlerUrl = blankSite.url + PLAIN_HANDLER_PATH;
try {
  console.info(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${formatLoadAverage()}, medians of ${ROUNDS} rounds of ${SECONDS} s`,
  );
  await compare("The disk as it is", join(folder, "as-it-is"), {}, plainHandlerUrl);
  await compare(
    "Every fsync takes 2 ms longer",
    join(folder, "slow"),
    buildSlowDiskEnv(folder),
    plainHandlerUrl,
  );
  console.info(`${formatLoadAverage()} at the end`);
} finally {
  await blankSite.stop();
  rmSync(folder, { recursive: true });
}
