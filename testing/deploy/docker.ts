/** Docker on the machine that is set aside: its daemon, its images, and what runs. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export const HOME = "/srv/driving-practice";
const LOG = "/var/log/dockerd.log";
const UP_LIMIT_MS = 60_000;
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** What each official image has that matters here, made of Debian's packages. */
const STAND_INS: Readonly<Record<string, string>> = {
  "node:24-trixie-slim": `RUN apt-get install -yq --no-install-recommends nodejs npm
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
  "caddy:2": "RUN apt-get install -yq --no-install-recommends caddy\nENV XDG_DATA_HOME=/data",
  "postgres:18": `RUN apt-get install -yq --no-install-recommends postgresql
ENV PATH=/usr/lib/postgresql/17/bin:$PATH
COPY postgres.sh /usr/local/bin/
CMD ["postgres.sh"]`,
};

/** As the official one: its first start makes the user, whose password others need. */
const POSTGRES = `#!/bin/sh
set -eu
export PGDATA=/var/lib/postgresql/17/docker
if [ ! -d "$PGDATA" ]; then
  install -d -o postgres -m 700 "$PGDATA"
  echo "$POSTGRES_PASSWORD" >/tmp/password
  chown postgres /tmp/password
  setpriv --reuid postgres --regid postgres --init-groups initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256
  setpriv --reuid postgres --regid postgres --init-groups sh -c 'pg_ctl start -w -o "-c listen_addresses=" && createdb -U $POSTGRES_USER -h /var/run/postgresql $POSTGRES_USER; pg_ctl stop -w'
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec setpriv --reuid postgres --regid postgres --init-groups postgres -c listen_addresses='*'
`;

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
  writeFileSync("/rehearsal/postgres.sh", POSTGRES, { mode: 0o755 });
  for (const [image, lines] of Object.entries(STAND_INS)) {
    const dockerfile = `FROM ${base}\nCOPY ca-certificates.crt ${CERTIFICATES}\nRUN apt-get update -q\n${lines}\n`;
    writeFileSync("/rehearsal/Dockerfile", dockerfile);
    execFileSync("cp", [CERTIFICATES, "/rehearsal/"]);
    docker("build", "--quiet", "--tag", image, "/rehearsal");
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
