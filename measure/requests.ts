/**
 * `npm run bench:requests`, after a build, on a machine with nginx and wrk: requests per second for the home page on
 * our server, a blank page under `next start`, and the bytes of our page under nginx, in turn.
 */
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "../testing/site/free-port.ts";
import { Site } from "../testing/site/site.ts";
import { serveBlankPage } from "./blank-page.ts";
import { median } from "./median.ts";
import { startProgram } from "./start-program.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const CONNECTIONS = 32;
const SECONDS = 5;
/** The measurement starts after this time, in which the server compresses its cached responses. */
const COMPRESSION_WAIT_MS = 20_000;
/** Encodings that every browser accepts. */
const HEADERS = { "accept-encoding": "gzip, deflate, br" };

/** Serves the compressed body of the site's response from a file. */
async function serveNginx(body: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const port = await findFreePort();
  writeFileSync(join(folder, "index.html"), body);
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; worker_processes 1; error_log stderr crit;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; default_type text/html; keepalive_requests 1000000;
       client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
       uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
       open_file_cache max=100;
       server { listen 127.0.0.1:${port}; root ${folder}; add_header content-encoding br; } }`,
  );
  const command = ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")];
  const { url, stop } = await startProgram(`http://127.0.0.1:${port}`, command, {
    stdio: "inherit",
  });
  return { url, stop: () => stop().then(() => rmSync(folder, { recursive: true, force: true })) };
}

/** Returns the compressed body, which fetch would decompress. */
async function bytesOnTheWire(url: string): Promise<Buffer> {
  const [answer] = await once(get(url, { headers: HEADERS }), "response");
  return buffer(answer);
}

/** Returns the requests per second that wrk measures, a program that itself uses little of the processor. */
async function measureThroughput(url: string, seconds: number): Promise<number> {
  const headers = Object.entries(HEADERS).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, ...headers, url];
  const { stdout } = await promisify(execFile)("wrk", args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

for (const program of ["nginx", "wrk"]) {
  if (spawnSync(program, ["-v"]).error === undefined) continue;
  console.error(`bench:requests needs ${program}: on Debian, apt-get install nginx-light wrk.`);
  process.exit(1);
}
// MALLOC_ARENA_MAX has the value of the image and the systemd unit. The compile cache of the tests is off.
const site = await Site.start({ MALLOC_ARENA_MAX: "2", NODE_COMPILE_CACHE: "" });
const blank = await serveBlankPage();
const body = await bytesOnTheWire(site.url);
const nginx = await serveNginx(body);
try {
  await pause(COMPRESSION_WAIT_MS);
  console.info(`memory at rest: ${residentMb(site.pid ?? 0)} MB`);
  const servers = {
    "our server, /": site.url,
    "next start, blank": blank.url,
    "nginx, one process": nginx.url,
  };
  for (const url of Object.values(servers)) await measureThroughput(url, 2);
  const found: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, url] of Object.entries(servers)) {
      found[name] = [...(found[name] ?? []), await measureThroughput(url, SECONDS)];
    }
  }
  for (const [name, figures] of Object.entries(found)) {
    console.info(`${name}: ${Math.round(median(figures))} requests/s`);
  }
  console.info(`memory after it: ${residentMb(site.pid ?? 0)} MB`);
} finally {
  await Promise.all([site.discard(), blank.stop(), nginx.stop()]);
}
