/**
 * Builds deploy/Dockerfile from the last commit and starts what came of it, without a container engine of this
 * machine's: by buildah, on stand-ins for the two official images, made of Debian's and npm's packages.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { expectThat } from "#testing/deploy/expect-that.ts";
import { asJson } from "#testing/form.ts";
import { freePort } from "#testing/free-port.ts";

const PROGRAMS = ["/usr/bin/buildah", "/usr/bin/mmdebstrap"];
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
/** The user of the image. */
const UID = 1000;
const UP_LIMIT_MS = 60_000;
const SECRET = randomUUID();
/** Quoted, as an owner writes it: Docker hands the quotes on. */
const SETTINGS = {
  SITE_URL: '"https://practice.example"',
  BUSINESS_NAME: "'차근차근 운전연수'",
  // Nobody listens there: what is stored waits.
  SMTP_URL: `"smtp://owner:${SECRET}@127.0.0.1:9"`,
  MAIL_FROM: '"site@practice.example"',
  MAIL_TO: '"owner@practice.example"',
};

const INSPECTED = z.object({
  Docker: z.object({
    config: z.object({
      Cmd: z.array(z.string()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});

export async function tryImage(folder: string): Promise<void> {
  const lacking = PROGRAMS.filter((program) => !existsSync(program));
  if (lacking.length > 0) {
    console.info(`- ${lacking.join(" and ")} is not installed: deploy/Dockerfile was not built.`);
    return;
  }
  const buildah = buildahIn(folder);
  makeStandIns(folder, buildah);
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
  const image = build(folder, buildah, settings);
  const container = buildah("from", "--pull-never", image);
  lookInside(container, buildah);
  await startAndStop(folder, buildah, container, settings);
}

type Buildah = (...args: string[]) => string;

/** All that buildah keeps lies in this folder, and goes with it. */
const storageIn = (folder: string) => [
  ...["--root", join(folder, "images"), "--runroot", join(folder, "images-run")],
  ...["--storage-driver", "overlay"],
];

function buildahIn(folder: string): Buildah {
  return (...args) =>
    execFileSync("buildah", [...storageIn(folder), ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
}

/** What the two official images have that matters here: Debian, and in one of them a Node 24 with its npm. */
function makeStandIns(folder: string, buildah: Buildah): void {
  const debian = join(folder, "debian.tar");
  execFileSync("mmdebstrap", ["--quiet", "--variant=minbase", "bookworm", debian]);
  const base = buildah("from", "scratch");
  buildah("add", "--quiet", base, debian, "/");
  buildah("commit", "--quiet", base, "docker.io/library/debian:bookworm-slim");

  const node = join(folder, "node");
  mkdirSync(node);
  const packages = [`node-linux-${process.arch}@24`, "npm@11"];
  execFileSync("npm", ["install", "--silent", "--no-save", "--prefix", node, ...packages]);
  const withNode = buildah("from", "--pull-never", "docker.io/library/debian:bookworm-slim");
  const copy = (from: string, to: string) => buildah("copy", "--quiet", withNode, from, to);
  copy(join(node, `node_modules/node-linux-${process.arch}/bin/node`), "/usr/local/bin/node");
  copy(join(node, "node_modules/npm"), "/usr/local/lib/node_modules/npm");
  // Whom this machine trusts, its own registry's mirror included.
  copy(CERTIFICATES, CERTIFICATES);
  buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, withNode);
  const links =
    "for each in npm npx; do ln -s ../lib/node_modules/npm/bin/$each-cli.js $each; done";
  const runs = ["run", "--isolation", "chroot", withNode, "sh", "-c"];
  buildah(...runs, `cd /usr/local/bin && chmod 755 node && ${links}`);
  buildah("commit", "--quiet", withNode, "docker.io/library/node:24-bookworm-slim");
}

/** As the manual says, from the last commit. */
function build(folder: string, buildah: Buildah, settings: string[]): string {
  const context = join(folder, "context");
  execFileSync("git", ["clone", "--quiet", process.env.REPOSITORY ?? ".", context]);
  const secret = join(folder, "image.env");
  writeFileSync(secret, `${settings.join("\n")}\n`);
  const dockerfile = join(context, "deploy/Dockerfile");
  buildah(
    ...["bud", "--quiet", "--format", "docker", "--isolation", "chroot", "--network", "host"],
    ...["--pull-never", "--file", dockerfile, "--ignorefile", `${dockerfile}.dockerignore`],
    ...["--secret", `id=env,src=${secret}`, "--tag", "driving-practice", context],
  );
  return "localhost/driving-practice";
}

function lookInside(container: string, buildah: Buildah): void {
  const inside = (command: string) =>
    // find says 1 where it may not look.
    buildah("run", "--isolation", "chroot", container, "sh", "-c", `${command} || true`);
  const nodes = inside("find / -xdev -type f -name node -perm /111 2>/dev/null").split("\n");
  expectThat(`the image has one Node: ${nodes.join(", ")}`, nodes.length === 1);
  expectThat("it runs as a user of its own", inside("id -u") === `${UID}`);
  const writable = inside(
    "find /site /data -xdev -writable -not -path '/site/.next/cache*' -not -path '/site/.next/server/route-cache*' 2>/dev/null",
  );
  expectThat(`who may write /data and Next's caches alone: ${writable}`, writable === "/data");
  const secret = inside(`grep -rl ${SECRET} /site /data 2>/dev/null`);
  const settings = inside("ls -a /site").split("\n").includes(".env");
  expectThat(`no settings are left in it ${secret}`, secret === "" && !settings);
}

/** The image's own command, with the settings as `docker run --env-file` hands them on. */
async function startAndStop(
  folder: string,
  buildah: Buildah,
  container: string,
  settings: string[],
): Promise<void> {
  const port = `${await freePort()}`;
  const { Cmd: command, Healthcheck: check } = INSPECTED.parse(
    JSON.parse(buildah("inspect", container)),
  ).Docker.config;
  const run = [
    ...[...storageIn(folder), "run", "--isolation", "chroot"],
    ...[...settings, `PORT=${port}`, "HOSTNAME=127.0.0.1"].flatMap((each) => ["--env", each]),
    ...[container, "--"],
  ];
  const site = spawn("buildah", [...run, ...command], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [site.stdout, site.stderr]) {
    stream.on("data", (said: Buffer) => {
      log += said.toString();
    });
  }
  const isHealthy = () => spawnSync("buildah", [...run, ...check.Test.slice(1)]).status === 0;
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + UP_LIMIT_MS;
  while (Date.now() < deadline && !(await fetch(url).catch(() => undefined))?.ok) await pause(250);
  const page = await fetch(url).then((answer) => answer.text(), String);
  expectThat("it serves the pages, with quotes around its settings", page.includes('lang="ko"'));
  expectThat("its health check is content", isHealthy());
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const sent = { method: "POST", headers, body: asJson({ name: "도커" }) };
  const answer = await fetch(`${url}/api/mail/training-application`, sent).catch(() => undefined);
  const list = ["node_modules/.bin/node", "cli/applications.ts", "list", "--json"];
  const { stdout: listed } = spawnSync("buildah", [...run, ...list], { encoding: "utf8" });
  expectThat(
    `an application is stored, and listed in the container: ${answer?.status}`,
    listed.includes("도커"),
  );
  if (process.exitCode) console.info(log);
  // buildah hands no signal on.
  for (const pid of childrenOf(site.pid)) process.kill(pid, "SIGTERM");
  if (site.exitCode === null && site.signalCode === null) await once(site, "exit");
  expectThat("and it stops when it is told to", !isHealthy());
}

/** The processes below one, the deepest first. */
function childrenOf(pid: number | undefined): number[] {
  const { stdout } = spawnSync("pgrep", ["--parent", `${pid}`], { encoding: "utf8" });
  const children = stdout.split("\n").filter(Boolean).map(Number);
  return children.flatMap((child) => [...childrenOf(child), child]);
}
