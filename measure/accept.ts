/**
 * What taking an application costs: `npm run bench:accept`, in interleaved rounds, so that a machine that
 * is busy for a while is busy for all. See docs/performance.md.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause, setInterval } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { SMTPServer } from "smtp-server";
import { asJson } from "../testing/form.ts";
import { BENCH_PATHS, startBenchSite } from "./bench-site.ts";
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
const SMTP_DELAY_MS = 200;
const FSYNC_DELAY_US = 2_000;

let sent = 0;

/** Another application each time, with a key of its own, as browsers send them. */
function nextApplication() {
  sent += 1;
  return {
    body: asJson({ name: `김여주${sent}` }),
    headers: {
      "content-type": "application/json",
      "idempotency-key": `${process.pid}-${sent}`,
    },
  };
}

async function fire(url: string) {
  const result = await autocannon({
    url,
    method: "POST",
    connections: CONNECTIONS,
    duration,
    requests: [{ setupRequest: (request) => ({ ...request, ...nextApplication() }) }],
  });
  const refused = result.non2xx + result.errors;
  if (refused > 0) throw new Error(`${url}: ${refused} requests were not taken`);
  const { p50, p99, max } = result.latency;
  return { perSecond: result["2xx"] / result.duration, p50, p99, max };
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
  return {
    perSecond: STEADY_PER_SECOND,
    p50: at(0.5),
    p99: at(0.99),
    max: times.at(-1) ?? Number.NaN,
  };
}

/** Milliseconds until the answer is there. */
async function timeOf(url: string): Promise<number> {
  const application = nextApplication();
  const began = performance.now();
  const answer = await fetch(url, { method: "POST", ...application });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - began;
}

type Figures = Awaited<ReturnType<typeof fire>>;

function medians(all: Figures[]): Figures {
  const of = (name: keyof Figures) =>
    Math.round(10 * median(all.map((figures) => figures[name]))) / 10;
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), max: of("max") };
}

/** A mail server that takes its time, as one across the sea does. */
async function slowMailServer() {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => setTimeout(done, SMTP_DELAY_MS));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, url: `smtp://127.0.0.1:${address.port}` };
}

/** The settings under which a process's flushes take longer; the shim is compiled for this machine. */
function slowDisk(folder: string): Record<string, string> {
  const shim = join(folder, "slow-fsync.so");
  execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, "measure/slow-fsync.c", "-ldl"]);
  return { LD_PRELOAD: shim, FSYNC_DELAY_US: `${FSYNC_DELAY_US}` };
}

function bareInserts(env: Record<string, string>): number {
  const options = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
  return Number(execFileSync(process.execPath, ["measure/bare-insert.ts"], options));
}

async function compare(
  name: string,
  env: Record<string, string>,
  { smtpUrl, plainUrl }: { smtpUrl: string; plainUrl: string },
) {
  const mail = {
    SMTP_URL: smtpUrl,
    MAIL_FROM: "site@bench.example",
    MAIL_TO: "owner@bench.example",
  };
  await using site = await startBenchSite({ ...mail, ...env });
  const urls = {
    plain: plainUrl,
    stores: site.url + BENCH_PATHS.stores,
    mails: site.url + BENCH_PATHS.mails,
  };
  const all: Record<keyof typeof urls, Figures[]> = { plain: [], stores: [], mails: [] };
  const steady: Figures[] = [];
  const inserts: number[] = [];
  for (const url of Object.values(urls)) await fire(url);
  for (let round = 0; round < rounds; round++) {
    for (const way of ["plain", "stores", "mails"] as const) all[way].push(await fire(urls[way]));
    steady.push(await fireSteadily(urls.stores));
    inserts.push(bareInserts(env));
    await pause(500);
  }
  const plain = medians(all.plain);
  const stores = medians(all.stores);
  const mails = medians(all.mails);
  console.info(`\n${name}`);
  console.table({
    [`plain Next handler that stores nothing, ${CONNECTIONS} connections`]: plain,
    [`stores, ${CONNECTIONS} connections`]: stores,
    [`awaits nodemailer, ${CONNECTIONS} connections`]: mails,
    [`stores, ${STEADY_PER_SECOND}/s`]: medians(steady),
  });
  console.info(`bare fsynced inserts: ${median(inserts)}/s`);
  console.info(`stores / plain Next handler: ${(stores.perSecond / plain.perSecond).toFixed(2)}`);
  console.info(`stores / awaits nodemailer: ${(stores.perSecond / mails.perSecond).toFixed(1)}`);
}

const folder = mkdtempSync(join(tmpdir(), "bench-shim-"));
const mailServer = await slowMailServer();
const blank = await serveBlankPage();
const peers = { smtpUrl: mailServer.url, plainUrl: blank.url + PLAIN_HANDLER };
try {
  console.info(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()
      .map((load) => load.toFixed(2))
      .join(" ")}, medians of ${rounds} rounds of ${duration} s`,
  );
  await compare("The disk as it is", {}, peers);
  await compare("Every fsync takes 2 ms longer", slowDisk(folder), peers);
  console.info(
    `load at the end: ${loadavg()
      .map((load) => load.toFixed(2))
      .join(" ")}`,
  );
} finally {
  mailServer.server.close(() => undefined);
  await blank.stop();
  rmSync(folder, { recursive: true });
}
