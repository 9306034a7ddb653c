/**
 * `npm run test:deploy`, as root on Linux with nginx: installs the last commit by docs/operations.md behind
 * nginx, updates it under load, loses its data and restores them, and prints what held. Then it builds the image
 * of deploy/Dockerfile and starts it. What needs a program that is not installed is left out, with a sentence. It
 * takes about ten minutes, needs the ports 80, 443, 3001 and 3002, and leaves nothing behind.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryImage } from "#testing/deploy/image.ts";

const unfit = await whyUnfit();
if (unfit) {
  console.error(unfit);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "deploy-"));
try {
  process.exitCode = await rehearse();
  console.info("\n# The image of deploy/Dockerfile");
  await tryImage(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function whyUnfit(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "Run this as root on Linux.";
  if (!existsSync("/usr/sbin/nginx")) return "Install nginx first: apt-get install nginx";
  for (const port of [80, 443, 3001, 3002]) {
    if (!(await isFree(port))) return `Port ${port} is in use.`;
  }
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

function run(command: string, args: string[], cwd = "."): string {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
  return stdout.trim();
}

async function rehearse(): Promise<number> {
  const repository = join(folder, "repository.git");
  run("git", ["clone", "--quiet", "--bare", ".", repository]);
  const cache = join(folder, "packages");
  const own = run("npm", ["config", "get", "cache"]);
  // The packages that this machine has already, for a user who may not look into ours.
  if (existsSync(own)) cpSync(own, cache, { recursive: true });
  run("chmod", ["-R", "a+rwX", folder]);

  // Nothing else from here: an operator's shell knows none of it either.
  const env = {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    NODE: process.execPath,
    REPOSITORY: repository,
    npm_config_cache: cache,
    npm_config_prefer_offline: "true",
  };
  const machine = spawn(
    "env",
    [
      ...["-i", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      ...["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"],
      ...["bash", "testing/deploy/set-aside.sh", folder],
      ...[process.execPath, "testing/deploy/rehearsal.ts", folder],
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  // Interrupted, it goes with all its processes, and its folder is deleted as after a full run.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => machine.kill("SIGKILL"));
  const [code] = await once(machine, "exit");
  return code ?? 1;
}
