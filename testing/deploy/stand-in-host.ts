/** A host for deploy/update.sh: real git, store, doctor and commands; npm, systemd and the site's user are replaced. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { findFreePort } from "#testing/site/free-port.ts";
import { mailSettings } from "#testing/site/settings.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const NODE = process.execPath;
const STAND_IN_SERVER = join(import.meta.dirname, "stand-in-server.ts");
/** Copies the host into the folder SNAPSHOTS, if one is set. Most programs below do so before their own work. */
const SNAPSHOT_COMMAND = `test -z "$SNAPSHOTS" || cp -a "$HOME" "$SNAPSHOTS/$(date +%s%N)"`;
const STAND_IN_PROGRAMS = {
  id: "echo 0",
  runuser: 'shift 3; exec "$@"',
  npm: `case "$*" in
    "ci "*) ln -s ${resolve("node_modules")} node_modules ;;
    *build) test ! -e no-build ;;
    *doctor) exec ${NODE} cli/doctor.ts ;;
    *applications*) ${SNAPSHOT_COMMAND}; shift 4; exec ${NODE} cli/applications.ts "$@" ;;
  esac`,
  systemctl: `${SNAPSHOT_COMMAND}
    running() { test -e "$HOME/pid" && kill -0 "$(cat "$HOME/pid")" 2>/dev/null; }
    case "$1" in
      stop) ! running || { kill "$(cat "$HOME/pid")"; while running; do sleep 0.05; done; } ;;
      start) running || { cd "$HOME/current"; ${NODE} server/main.ts >>"$HOME/log" 2>&1 9>&- & echo $! >"$HOME/pid"; } ;;
    esac`,
  mv: `${SNAPSHOT_COMMAND}; exec /bin/mv "$@"`,
  ln: `${SNAPSHOT_COMMAND}; exec /bin/ln "$@"`,
  sync: `${SNAPSHOT_COMMAND}`,
};

const { PATH } = process.env;
/** Leaves out the developer's settings of git, and the variables of a hook, which name the developer's repository. */
const GIT_ENV = { NODE_ENV: "test", PATH, GIT_CONFIG_GLOBAL: "/dev/null" } as const;
export const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.test", ...args], {
    cwd,
    env: GIT_ENV,
    encoding: "utf8",
  });

export class StandInHost {
  readonly home = makeTemporaryFolder();
  readonly site = join(this.home, "site");
  readonly #source = join(this.home, "source");
  readonly #origin: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(port: number, settings: Record<string, string>) {
    this.#origin = `http://127.0.0.2:${port}`;
    const tools = join(this.home, "tools");
    this.#env = { ...GIT_ENV, PATH: `${tools}:${PATH}`, HOME: this.home };
    for (const folder of [tools, this.#source]) mkdirSync(folder);
    for (const [name, code] of Object.entries(STAND_IN_PROGRAMS))
      writeFileSync(join(tools, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
    for (const path of ["lib", "cli", "package.json", "tailwind.config.ts", "deploy/update.sh"])
      cpSync(path, join(this.#source, path), {
        recursive: true,
        filter: (each) => !each.includes(".test."),
      });
    git(this.#source, "init", "--quiet", "--initial-branch", "main");
    this.publish({
      ".gitignore": "node_modules\n.env\n",
      "server/main.ts": readFileSync(STAND_IN_SERVER, "utf8"),
    });
    git(this.home, "clone", "--quiet", this.#source, this.site);
    const values = {
      ...settings,
      PORT: port,
      HOSTNAME: "127.0.0.2",
      DATA_DIR: join(this.home, "data"),
    };
    const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(this.site, ".env"), lines.join(""));
  }

  /** Commits these files as the newest version; undefined deletes a file. `change` edits the sources. */
  publish(files: Record<string, string | undefined>, change?: (folder: string) => void): void {
    change?.(this.#source);
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.#source, path);
      mkdirSync(dirname(file), { recursive: true });
      if (content === undefined) rmSync(file);
      else writeFileSync(file, content);
    }
    git(this.#source, "add", "--all");
    git(this.#source, "commit", "--quiet", "--message", Object.keys(files).join());
  }

  /** `patience`: seconds for a start. `snapshots`: a folder for a copy of the host before each step. */
  async update({ patience = 30, snapshots = "" } = {}) {
    const child = spawn("sh", [join(this.site, "deploy/update.sh")], {
      cwd: this.home,
      env: { ...this.#env, PATIENCE: `${patience}`, SNAPSHOTS: snapshots },
    });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = await once(child, "close");
    const [stdout, stderr] = await said;
    return { status, stdout, stderr };
  }

  /** Sets the host back to a snapshot and starts the site, as after a power cut at that time. */
  returnTo(snapshot: string): void {
    this.stop();
    rmSync(this.home, { recursive: true });
    cpSync(snapshot, this.home, { recursive: true, verbatimSymlinks: true });
    this.restart();
  }

  restart(): void {
    this.stop();
    rmSync(join(this.home, "pid"), { force: true });
    const env = { ...this.#env, SNAPSHOTS: "" };
    execFileSync("sh", ["-c", "systemctl start site"], { env, stdio: "ignore" });
  }

  stop(): void {
    const pid = join(this.home, "pid");
    if (existsSync(pid)) spawnSync("kill", ["-9", readFileSync(pid, "utf8").trim()]);
  }

  /** Sends an application. `status` is 0 without an answer. */
  apply = () => this.#ask("POST");

  /** The numbers of the stored applications; undefined while the site does not answer with them. */
  async list(): Promise<string[] | undefined> {
    const { status, said } = await this.#ask("GET");
    return status === 200 ? said.split(",").filter(Boolean) : undefined;
  }

  async #ask(method: "GET" | "POST"): Promise<{ status: number; said: string }> {
    // A kept-alive connection would lead to a server that an update has stopped.
    const headers = { connection: "close" };
    const url = `${this.#origin}/${crypto.randomUUID()}`;
    const answer = await fetch(url, { method, headers }).catch(() => undefined);
    return { status: answer?.status ?? 0, said: (await answer?.text().catch(() => "")) ?? "" };
  }

  /** Whether the running version has this file. */
  has = (path: string) => existsSync(join(this.home, "current", path));
}

/** Each test starts several versions, and a busy machine takes a minute for one. */
export const LONG_TEST = { timeout: 900_000 };

/** A host on which the script has installed a healthy site. */
export async function installHost(): Promise<StandInHost> {
  const peer = new SmtpPeer({ needsLogin: true });
  await peer.start();
  const host = new StandInHost(await findFreePort(), {
    SITE_URL: "https://practice.example",
    INQUIRY_PHONE: "010-7351-9264",
    LOG_LEVEL: "silent",
    ...mailSettings(peer.mailServer()),
  });
  onTestFinished(async () => {
    host.stop();
    await peer.stop();
  });
  expect(await host.update()).toMatchObject({ status: 0, stderr: "" });
  return host;
}
