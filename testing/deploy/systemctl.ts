/**
 * Stands in for systemctl where no systemd runs: reads the unit from /etc/systemd/system, and runs its
 * command in its folder, with its environment, as its user without privileges. What else the unit asks for
 * (the hardening, the restarts) only systemd itself can do. nginx is started and reloaded as its own unit does.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const [verb = "", ...rest] = process.argv.slice(2);
const units = rest.filter((argument) => !argument.startsWith("--"));

const pidFile = (unit: string) => `/run/${unit}.pid`;

/** `Name=value` lines of a unit file; a name may come several times. */
function read(unit: string): Map<string, string[]> {
  const [name = "", instance = ""] = unit.replace(/\.service$/, "").split("@");
  const text = readFileSync(`/etc/systemd/system/${name}${instance && "@"}.service`, "utf8");
  const settings = new Map<string, string[]>();
  for (const [, key = "", value = ""] of text
    .replaceAll("%i", instance)
    .matchAll(/^(\w+)=(.*)$/gm)) {
    settings.set(key, [...(settings.get(key) ?? []), value]);
  }
  return settings;
}

function pidOf(unit: string): number | undefined {
  if (!existsSync(pidFile(unit))) return undefined;
  const pid = Number(readFileSync(pidFile(unit), "utf8"));
  const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "Z";
  return / Z |^Z/.test(state) ? undefined : pid;
}

function start(unit: string): void {
  if (unit === "nginx") {
    spawnSync("nginx", [], { stdio: "inherit" });
    return;
  }
  if (pidOf(unit) !== undefined) return;
  const settings = read(unit);
  const one = (key: string) => settings.get(key)?.[0] ?? "";
  const environment = (settings.get("Environment") ?? []).join(" ").split(" ");
  const log = openSync(`/var/log/${unit}.log`, "a");
  const child = spawn(
    "setpriv",
    [
      ...["--reuid", one("User"), "--regid", one("Group"), "--clear-groups", "--no-new-privs"],
      ...["--inh-caps=-all", "--bounding-set=-all"],
      ...["env", "-i", "PATH=/usr/bin:/bin", ...environment],
      ...one("ExecStart").split(" "),
    ],
    { cwd: one("WorkingDirectory"), detached: true, stdio: ["ignore", log, log] },
  );
  writeFileSync(pidFile(unit), String(child.pid));
  child.unref();
}

async function stop(unit: string): Promise<void> {
  const pid = pidOf(unit);
  if (pid === undefined) return;
  const seconds = Number(read(unit).get("TimeoutStopSec")?.[0] ?? 90);
  process.kill(pid, "SIGTERM");
  const deadline = Date.now() + seconds * 1_000;
  while (pidOf(unit) !== undefined) {
    if (Date.now() > deadline) process.kill(pid, "SIGKILL");
    await pause(50);
  }
  rmSync(pidFile(unit), { force: true });
}

for (const unit of units.map((name) => name.replace(/\.service$/, ""))) {
  if (verb === "start") start(unit);
  else if (verb === "stop") await stop(unit);
  else if (verb === "restart") {
    await stop(unit);
    start(unit);
  } else if (verb === "reload" && unit === "nginx") {
    process.exitCode = spawnSync("nginx", ["-s", "reload"], { stdio: "inherit" }).status ?? 1;
  } else if (verb === "is-active" && pidOf(unit) === undefined) process.exitCode = 3;
}
