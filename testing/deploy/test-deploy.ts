/**
 * `npm run test:deploy`, as root on Linux: makes a Debian 13 with its own network and processes, runs the commands of
 * docs/container.md and docs/operations.md in it, and prints the results. In another Debian it then runs those of
 * docs/plain-host.md (`-- plain-host`: only these). Docker and Compose come from Debian; so does Caddy if its
 * official image cannot be fetched. A run takes about half an hour, needs no free port, and leaves nothing behind.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const REQUIRED_PROGRAMS = ["mmdebstrap", "slirp4netns", "unshare"];
/** What a minimal Debian lacks: a library that Node needs, certificates, programs of init.sh and of a plain host. */
const PACKAGES = ["ca-certificates", "iproute2", "libatomic1", "nginx-light", "openssl", "systemd"];
const ETC_HOSTS = "127.0.0.1 localhost practice.example www.practice.example\n";
const CERTIFICATES = "etc/ssl/certs/ca-certificates.crt";

const missing = missingRequirement();
if (missing) {
  console.error(missing);
  process.exit(2);
}
const REHEARSALS = process.argv.includes("plain-host")
  ? ["rehearse-plain-host.ts"]
  : ["rehearse-container.ts", "rehearse-plain-host.ts"];
for (const program of REHEARSALS) {
  const folder = mkdtempSync(join(tmpdir(), "deploy-"));
  try {
    const machine = join(folder, "machine");
    makeMachine(folder, machine);
    const code = await rehearse(machine, `testing/deploy/${program}`);
    if (code !== 0) process.exitCode = code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function missingRequirement(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "Run this as root on Linux.";
  const lacking = REQUIRED_PROGRAMS.filter((program) => spawnSync(program, ["--version"]).error);
  return lacking.length > 0 ? `Install first: apt-get install ${lacking.join(" ")}` : undefined;
}

function makeMachine(folder: string, machine: string): void {
  console.info("# A Debian 13 of its own");
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  const slim = ["doc", "man", "locale"].map(
    (each) => `--dpkgopt=path-exclude=/usr/share/${each}/*`,
  );
  run("mmdebstrap", "--quiet", "--variant=minbase", ...slim, "trixie", machine);
  // This Debian is also the base image of the containers if the official images cannot be fetched.
  run("tar", "--create", "--file", join(folder, "debian.tar"), "--directory", machine, ".");
  run("chroot", machine, "apt-get", "update", "-q");
  run("chroot", machine, "apt-get", "install", "-yq", "--no-install-recommends", ...PACKAGES);
  // The isolated machine trusts the certificate authorities that its host trusts.
  cpSync(`/${CERTIFICATES}`, join(machine, CERTIFICATES));
  writeFileSync(join(machine, "etc/resolv.conf"), "nameserver 10.0.2.3\n");
  writeFileSync(join(machine, "etc/hosts"), ETC_HOSTS);
  // Docker's package would start services, but no service manager runs here.
  writeFileSync(join(machine, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  for (const name of ["project", "rehearsal"]) mkdirSync(join(machine, name));
  run("mv", join(folder, "debian.tar"), join(machine, "rehearsal"));
  // npm passes its own path to the scripts that it runs: npm/bin/npm-cli.js.
  const npm = process.env.npm_execpath ?? execFileSync("which", ["npm"], { encoding: "utf8" });
  const npmFolder = dirname(dirname(realpathSync(npm.trim())));
  cpSync(npmFolder, join(machine, "rehearsal/stand-in/npm"), { recursive: true });
  run("git", "clone", "--quiet", "--bare", ".", join(machine, "rehearsal/repository.git"));
}

async function rehearse(machine: string, program: string): Promise<number> {
  const inside = spawn(
    "unshare",
    [
      ...["--mount", "--pid", "--net", "--fork", "--kill-child"],
      ...["bash", "testing/deploy/init.sh", machine, realpathSync(process.execPath), program],
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  // An interruption ends all processes. The folder is deleted as after a full run.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => inside.kill("SIGKILL"));
  const network = spawn("slirp4netns", ["--configure", await childOf(inside.pid), "tap0"], {
    stdio: "ignore",
  });
  const [code] = await once(inside, "exit");
  network.kill();
  return code ?? 1;
}

/** The id of the first child: for `unshare`, the process in the new namespaces. Waits until the child exists. */
async function childOf(pid: number | undefined): Promise<string> {
  for (;;) {
    const { stdout } = spawnSync("pgrep", ["--parent", `${pid}`], { encoding: "utf8" });
    const [child] = stdout.split("\n");
    if (child) return child;
    await pause(20);
  }
}
