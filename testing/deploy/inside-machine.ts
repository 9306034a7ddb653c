/** Tools of the rehearsal on the isolated machine: they run Docker and the manual's commands, and print results. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE } from "#lib/application/durations.ts";
import { renameColumn } from "#testing/deploy/next-version.ts";

export const SITE_FOLDER = "/srv/driving-practice";
/** The repository from which the host gets the site. */
export const REPOSITORY = "/rehearsal/repository.git";
/** The folder into which test-deploy.ts puts npm. */
const STAND_IN_FOLDER = "/rehearsal/stand-in";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const BASE_IMAGE = "debian:trixie-slim";

/** Lines of Dockerfiles whose images replace the official images: Node with npm, and Caddy. */
const STAND_IN_IMAGES: Readonly<Record<string, string>> = {
  "node:26.10.0-trixie-slim": `COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt ${CERTIFICATES}
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && apt-get update -q && apt-get install -yq --no-install-recommends libatomic1`,
  "caddy:2.11": `RUN apt-get update -q && apt-get install -yq --no-install-recommends caddy
ENV XDG_DATA_HOME=/data`,
};

/** Prints a result. After a failed result, the process exits with 1. */
export function expectThat(what: string, holds: boolean): void {
  console.info(`${holds ? "✓" : "✗"} ${what}`);
  if (!holds) process.exitCode = 1;
}

/** The status with which a URL answers, or 0 without an answer. */
export const fetchStatusCode = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

/** True once the condition holds; false if the time is over before. */
export async function waitUntil(
  condition: () => Promise<boolean>,
  limitMs = 2 * MINUTE,
): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await pause(250))
    if (await condition()) return true;
  return false;
}

/**
 * Pushes a version to the repository from which the host pulls. The version has a changed style and script, and a
 * migration that renames a column.
 */
export function publishNextVersion(): void {
  const clone = "/rehearsal/change";
  const author = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@practice.example"];
  const git = (...args: string[]) => execFileSync("git", [...author, ...args]);
  git("clone", "--quiet", REPOSITORY, clone);
  appendFileSync(`${clone}/app/globals.css`, "\n:root {\n  --release: 2;\n}\n");
  const file = `${clone}/lib/content/application-form.ts`;
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("보내는 중", "지금 보내는 중"));
  renameColumn(clone);
  git("-C", clone, "commit", "--quiet", "--all", "--message", "The next version");
  git("-C", clone, "push", "--quiet");
}

/** Runs docker, in the site's folder once that exists, and returns what docker prints. @throws if docker fails */
export function docker(...args: string[]): string {
  const options = { cwd: existsSync(SITE_FOLDER) ? SITE_FOLDER : "/", encoding: "utf8" } as const;
  return execFileSync("docker", args, { ...options, stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** Starts Docker's daemon as systemd would. */
export async function startDocker() {
  const log = openSync("/var/log/dockerd.log", "a");
  const daemon = spawn("dockerd", [], { stdio: ["ignore", log, log] });
  while (spawnSync("docker", ["version"]).status !== 0) {
    if (daemon.exitCode !== null) throw new Error(String(readFileSync("/var/log/dockerd.log")));
    await pause(200);
  }
  return daemon;
}

/** Fetches the official images, or builds replacements. Returns the names of the replacements. */
export function provideImages(): string[] {
  const named = [BASE_IMAGE, ...Object.keys(STAND_IN_IMAGES)];
  if (named.every((image) => spawnSync("docker", ["pull", "--quiet", image]).status === 0))
    return [];
  docker("import", "/rehearsal/debian.tar", BASE_IMAGE);
  for (const path of ["/usr/local/bin/node", CERTIFICATES])
    cpSync(path, join(STAND_IN_FOLDER, basename(path)));
  for (const [image, lines] of Object.entries(STAND_IN_IMAGES)) {
    writeFileSync(join(STAND_IN_FOLDER, "Dockerfile"), `FROM ${BASE_IMAGE}\n${lines}\n`);
    docker("build", "--quiet", "--tag", image, STAND_IN_FOLDER);
  }
  return named;
}

/** The process id of a container's first process, as seen by this machine. */
export const containerPid = (container: string) =>
  Number(docker("inspect", "--format", "{{.State.Pid}}", container));
export const sitePid = () => containerPid(docker("compose", "ps", "--quiet", "site"));

/** The pages for the operator, with the named blocks that the rehearsal runs. */
const MANUALS = ["docs/container.md", "docs/operations.md", "docs/plain-host.md"];

/** Runs a named block of these pages unchanged, as root. @throws if a command fails */
export async function runManualBlock(
  name: string,
  env: Record<string, string> = {},
): Promise<void> {
  const manual = MANUALS.map((page) => readFileSync(page, "utf8")).join("\n");
  const [, commands] = RegExp(`^\`\`\`sh ${name}\\n([^]*?)^\`\`\`$`, "m").exec(manual) ?? [];
  if (commands === undefined) throw new Error(`No page has a block "${name}"`);
  console.info(`\n# ${name}\n${commands.trim()}`);
  const child = spawn("bash", ["-euo", "pipefail", "-c", `exec 2>&1\n${commands}`], {
    cwd: "/root",
    env: { ...process.env, BUILDKIT_PROGRESS: "plain", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(`The commands of "${name}" ended with ${code}:\n${said}`);
}
