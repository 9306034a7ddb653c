/** Docker on the machine that is set aside: its daemon, its images, and what runs. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export const HOME = "/srv/driving-practice";
/** Where test-deploy.ts has put npm. */
const STAND_IN = "/rehearsal/stand-in";
const LOG = "/var/log/dockerd.log";
const UP_LIMIT_MS = 60_000;
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** What each official image has that matters here: Node with npm, and Debian's Caddy. */
const STAND_INS: Readonly<Record<string, string>> = {
  "node:24-trixie-slim": `COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt ${CERTIFICATES}
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm`,
  "caddy:2.11": `RUN apt-get update -q && apt-get install -yq --no-install-recommends caddy
ENV XDG_DATA_HOME=/data`,
};

/** Runs docker in the site's folder, and returns what it says. @throws where it fails */
export function docker(...args: string[]): string {
  const options = { cwd: existsSync(HOME) ? HOME : "/", encoding: "utf8" } as const;
  return execFileSync("docker", args, { ...options, stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** Starts the daemon, as systemd would; ends it with the machine. */
export async function startDocker(): Promise<ChildProcess> {
  const log = openSync(LOG, "a");
  const daemon = spawn("dockerd", [], { stdio: ["ignore", log, log] });
  const deadline = Date.now() + UP_LIMIT_MS;
  while (spawnSync("docker", ["version"]).status !== 0) {
    if (Date.now() > deadline) throw new Error(`Docker does not run:\n${readFileSync(LOG)}`);
    await pause(200);
  }
  return daemon;
}

export async function stopDocker(daemon: ChildProcess): Promise<void> {
  daemon.kill();
  if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, "exit");
}

/** Fetches the official images; makes stand-ins where they cannot be had. Returns the names of these. */
export function provideImages(): string[] {
  const pulls = (image: string) => spawnSync("docker", ["pull", "--quiet", image]).status === 0;
  const base = "debian:trixie-slim";
  const named = [base, ...Object.keys(STAND_INS)];
  if (named.every(pulls)) return [];
  docker("import", "/rehearsal/debian.tar", base);
  for (const path of ["/usr/local/bin/node", CERTIFICATES])
    cpSync(path, join(STAND_IN, basename(path)));
  for (const [image, lines] of Object.entries(STAND_INS)) {
    writeFileSync(join(STAND_IN, "Dockerfile"), `FROM ${base}\n${lines}\n`);
    docker("build", "--quiet", "--tag", image, STAND_IN);
  }
  return named;
}

/** Of the site's container: the first process, as this machine counts them. */
export const sitePid = () =>
  Number(
    docker("inspect", "--format", "{{.State.Pid}}", docker("compose", "ps", "--quiet", "site")),
  );

/** The numbers of all stored applications, as the owner's command lists them. */
export const listed = () =>
  docker("compose", "exec", "-T", "site", "applications", "list", "--json");
