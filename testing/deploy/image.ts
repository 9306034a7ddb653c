/** What lies in the image, and how it starts where it knows nothing but its settings. */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { docker, sitePid } from "#testing/deploy/docker.ts";
import { expectThat } from "#testing/deploy/expect-that.ts";
import { NUMBER, SECRET } from "#testing/deploy/settings.ts";

const IMAGE = "driving-practice";
const MOST_BYTES = 300_000_000;
const MOST_SECONDS = 10;
/** The user of the image. */
const UID = 1000;

export function lookIntoImage(): void {
  const bytes = Number(docker("image", "inspect", "--format", "{{.Size}}", IMAGE));
  expectThat(`the image has ${Math.round(bytes / 1e6)} MB`, bytes <= MOST_BYTES);
  const inside = (user: string, command: string) =>
    docker("run", "--rm", "--user", user, "--entrypoint", "sh", IMAGE, "-c", `${command} || true`);
  const nodes = inside("root", "find / -xdev -type f -name node -perm /111").split("\n");
  expectThat(`it has one Node: ${nodes.join(", ")}`, nodes.length === 1);
  const found = inside("root", `grep -rlE '${SECRET}|${NUMBER}' /site /data; ls -d /site/.env`);
  expectThat(`nothing of the settings is in it ${found}`, found === "");
  const writable = inside(
    `${UID}`,
    "find / -xdev -writable -not -type l 2>/dev/null | grep -vE '^/(proc|dev|sys|tmp|var/tmp|run/lock)'",
  );
  expectThat(`its user may write ${writable.replaceAll("\n", ", ")} alone`, writable === "/data");
  const [, uid] = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${sitePid()}/status`, "utf8")) ?? [];
  expectThat(`it runs as user ${uid}`, uid === `${UID}`);
}

/** The image on a host that has nothing of it: other settings, quoted as in a file, and a volume that is root's. */
export async function tryElsewhere(values: Record<string, string>): Promise<void> {
  console.info("\n# The same image with other settings, on a volume that belongs to root");
  const volume = "/rehearsal/volume";
  mkdirSync(volume, { mode: 0o755 });
  const other = { ...values, INQUIRY_PHONE: "'010-2222-3333'", BUSINESS_NAME: '"느긋 운전연수"' };
  const env = Object.entries(other).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const startedAt = performance.now();
  docker(
    "run",
    "--detach",
    "--name",
    "elsewhere",
    ...env,
    "--volume",
    `${volume}:/data`,
    "--publish",
    "4000:3000",
    IMAGE,
  );
  const home = await firstPage("http://127.0.0.1:4000/");
  const seconds = (performance.now() - startedAt) / 1_000;
  expectThat(`it is up in ${seconds.toFixed(1)} s`, seconds < MOST_SECONDS);
  expectThat(
    "its pages have its own settings",
    ["010-2222-3333", "느긋 운전연수"].every((fact) => home.includes(fact)) &&
      !home.includes(NUMBER),
  );
  expectThat(`the volume is user ${statSync(volume).uid}'s now`, statSync(volume).uid === UID);
  const check = docker("inspect", "--format", "{{json .Config.Healthcheck.Test}}", IMAGE);
  docker("exec", "elsewhere", ...JSON.parse(check).slice(1));
  console.info("✓ its health check is content");
  docker("stop", "elsewhere");
  const code = docker("inspect", "--format", "{{.State.ExitCode}}", "elsewhere");
  expectThat(`told to stop, it ends with ${code}`, code === "0");
  docker("rm", "elsewhere");
}

async function firstPage(url: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return answer.text();
    await pause(100);
  }
  return docker("logs", "elsewhere");
}
