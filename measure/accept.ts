/**
 * What taking an application costs, beside a plain handler of Next that stores nothing: `npm run bench:accept`, in
 * interleaved rounds, so that a machine that is busy for a while is busy for both. See docs/performance.md.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause, setInterval } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { asJson } from "../testing/form.ts";
import { freePort } from "../testing/free-port.ts";
import { PLAIN_HANDLER, serveBlankPage } from "./blank-page.ts";
import { median } from "./median.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
  },
});
const rounds = Number(values.rounds);
const duration = Number(values.seconds);

const CONNECTIONS = 32;
const STEADY_PER_SECOND = 50;
const FSYNC_DELAY_US = 2_000;
const ROUTE = "/api/mail/training-application";

let sent = 0;

/** Another application each time, with a key of its own, as browsers send them. */
function nextApplication() {
  sent += 1;
  const headers = {
    "content-type": "application/json",
    "idempotency-key": `${process.pid}-${sent}`,
  };
  return { body: asJson({ name: `김여주${sent}` }), headers };
}

interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
}

async function fire(url: string): Promise<Figures> {
  const result = await autocannon({
    url,
    method: "POST",
    connections: CONNECTIONS,
    duration,
    requests: [{ setupRequest: (request) => ({ ...request, ...nextApplication() }) }],
  });
  const refused = result.non2xx + result.errors;
  if (refused > 0) throw new Error(`${url}: ${refused} requests were not taken`);
  const { p50, p99 } = result.latency;
  return { perSecond: result["2xx"] / result.duration, p50, p99 };
}

/** One application after the other at equal distances, whether the last was answered or not. */
async function fireSteadily(url: string): Promise<Figures> {
  const answers: Promise<number>[] = [];
  for await (const _ of setInterval(1_000 / STEADY_PER_SECOND)) {
    answers.push(timeOf(url));
    if (answers.length === STEADY_PER_SECOND * duration) break;
  }
  const times = (await Promise.all(answers)).sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  return { perSecond: STEADY_PER_SECOND, p50: at(0.5), p99: at(0.99) };
}

/** Milliseconds until the answer is there. */
async function timeOf(url: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { method: "POST", ...nextApplication() });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - began;
}

function medians(all: Figures[]): Figures {
  const of = (name: keyof Figures) => Number(median(all.map((each) => each[name])).toFixed(1));
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99") };
}

/** The settings under which a process's flushes take longer; the shim is compiled for this machine. */
function slowDisk(folder: string): Record<string, string> {
  const shim = join(folder, "slow-fsync.so");
  execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, "measure/slow-fsync.c", "-ldl"]);
  return { LD_PRELOAD: shim, FSYNC_DELAY_US: `${FSYNC_DELAY_US}` };
}

/** The server of the bench on an empty data folder. */
async function serve(dataDir: string, env: Record<string, string>) {
  const port = await freePort();
  const many = "1000000";
  const child = spawn(process.execPath, ["measure/server.ts"], {
    env: {
      ...process.env,
      ...{ NODE_ENV: "production", DATA_DIR: dataDir, PORT: `${port}`, HOSTNAME: "127.0.0.1" },
      ADDRESS_REQUESTS_PER_MINUTE: many,
      ADDRESS_APPLICATIONS_PER_10_MINUTES: many,
      TOTAL_APPLICATIONS_PER_MINUTE: many,
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error("The bench's server did not come up.");
    await pause(50);
  }
  const stop = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { url: url + ROUTE, stop };
}

async function compare(name: string, dataDir: string, env: Record<string, string>, plain: string) {
  const site = await serve(dataDir, env);
  const found: Record<"plain" | "stores" | "steady", Figures[]> = {
    plain: [],
    stores: [],
    steady: [],
  };
  for (const url of [plain, site.url]) await fire(url);
  for (let round = 0; round < rounds; round++) {
    found.plain.push(await fire(plain));
    found.stores.push(await fire(site.url));
    found.steady.push(await fireSteadily(site.url));
  }
  await site.stop();
  const [nothing, stores] = [medians(found.plain), medians(found.stores)];
  console.info(`\n${name}`);
  console.table({
    [`plain Next handler that stores nothing, ${CONNECTIONS} connections`]: nothing,
    [`stores, ${CONNECTIONS} connections`]: stores,
    [`stores, ${STEADY_PER_SECOND}/s`]: medians(found.steady),
  });
  console.info(`stores / plain Next handler: ${(stores.perSecond / nothing.perSecond).toFixed(2)}`);
}

const load = () => `load ${loadavg().map((each) => each.toFixed(2))}`;
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const blank = await serveBlankPage();
const plain = blank.url + PLAIN_HANDLER;
try {
  console.info(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${load()}, medians of ${rounds} rounds of ${duration} s`,
  );
  await compare("The disk as it is", join(folder, "as-it-is"), {}, plain);
  await compare("Every fsync takes 2 ms longer", join(folder, "slow"), slowDisk(folder), plain);
  console.info(`${load()} at the end`);
} finally {
  await blank.stop();
  rmSync(folder, { recursive: true });
}
