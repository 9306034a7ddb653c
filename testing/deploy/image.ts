/** Checks the files of the image, and its start on a host that has only the settings. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE } from "#lib/application/durations.ts";
import { jsonBody } from "#testing/browser/form.ts";
import {
  containerPid,
  docker,
  expectThat,
  fetchStatusCode,
  sitePid,
} from "#testing/deploy/machine.ts";

const IMAGE = "driving-practice";
const MOST_BYTES = 300_000_000;
/** Limit of processor time for a start: real time depends on the machine's other work. */
const MOST_SECONDS = 10;
const TICKS_PER_SECOND = 100;
const UID = 1000;
/** Lists what a user may write, except the folders that Linux and Debian let every user write. */
const WRITABLE =
  "find / -xdev -writable -not -type l 2>/dev/null | grep -vE '^/(proc|dev|sys|tmp|var/tmp|run/lock)'";

/** `secrets`: strings that no file of the image may contain. */
export function checkImage(secrets: readonly string[]): void {
  const bytes = Number(docker("image", "inspect", "--format", "{{.Size}}", IMAGE));
  expectThat(`the image has ${Math.round(bytes / 1e6)} MB`, bytes <= MOST_BYTES);
  const inside = (user: string, command: string) =>
    docker("run", "--rm", "--user", user, "--entrypoint", "sh", IMAGE, "-c", `${command} || true`);
  const nodes = inside("root", "find / -xdev -type f -name node -perm /111");
  expectThat(`it has one Node: ${nodes} [103]`, nodes.split("\n").length === 1);
  const found = inside("root", `grep -rlE '${secrets.join("|")}' /site /data; ls -d /site/.env`);
  expectThat(`nothing of the settings is in it ${found}`, found === "");
  const writable = inside(`${UID}`, WRITABLE);
  expectThat(
    `its user may write ${writable.replaceAll("\n", " ")} alone [59]`,
    writable === "/data",
  );
  const [, uid] = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${sitePid()}/status`, "utf8")) ?? [];
  expectThat(`it runs as user ${uid}`, uid === `${UID}`);
}

/** The image of an update changes the tables of a volume; the image from before names the backup, and restores it. */
export async function checkWayBack(): Promise<void> {
  console.info("\n# The image from before on a volume whose tables the update has changed");
  const earlier = `${IMAGE}:earlier`;
  const command = (image: string, ...words: string[]) => {
    const run = ["run", "--rm", "--volume", "way-back:/data", image, ...words];
    const { stdout, stderr } = spawnSync("docker", run, { encoding: "utf8" });
    return `${stdout}${stderr}`;
  };
  const start = async (image: string) => {
    const place = ["--volume", "way-back:/data", "--publish", "4000:3000", image];
    docker("run", "--detach", "--name", "way-back", ...place);
    for (const end = Date.now() + MINUTE; Date.now() < end; await pause(250))
      if ((await fetchStatusCode("http://127.0.0.1:4000/api/health")) === 200) return;
  };
  const stop = () => docker("rm", "--force", "way-back");
  await start(earlier);
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: jsonBody({ name: "되돌림" }) };
  const answer = await fetch("http://127.0.0.1:4000/api/mail/training-application", init);
  expectThat(`the image from before answers ${answer.status}`, answer.status === 200);
  stop();
  const before = command(IMAGE, "applications", "list");
  expectThat("a command of the new image changes no tables", before.includes("이전 버전의 것이라"));
  await start(IMAGE);
  stop();
  const said = command(earlier, "doctor");
  const [, backup = "none"] = /\((\/data\/backups\/before-update-\S+\.db)\)/.exec(said) ?? [];
  expectThat(`the doctor of the image from before names ${backup}`, backup !== "none");
  command(earlier, "applications", "restore", backup);
  await start(earlier);
  const listed = docker("exec", "way-back", "applications", "list");
  expectThat("with that backup it has the application", listed.includes("되돌림"));
  stop();
}

/** Runs the image with other settings, whose values have quotes, on a volume that belongs to root. */
export async function checkImageOnNewHost(
  values: Record<string, string>,
  old: string,
): Promise<void> {
  console.info("\n# The same image with other settings, on a volume that belongs to root");
  const volume = "/rehearsal/volume";
  mkdirSync(volume, { mode: 0o755 });
  const other = { ...values, INQUIRY_PHONE: "'010-2222-3333'", BUSINESS_NAME: '"느긋 운전연수"' };
  const env = Object.entries(other).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const place = ["--volume", `${volume}:/data`, "--publish", "4000:3000", IMAGE];
  const startedAt = performance.now();
  docker("run", "--detach", "--name", "elsewhere", ...env, ...place);
  let home = "";
  while (!home) {
    home = await fetch("http://127.0.0.1:4000/").then(
      (answer) => answer.text(),
      () => "",
    );
    await pause(50);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const times = readFileSync(`/proc/${containerPid("elsewhere")}/stat`, "utf8").split(" ");
  const worked = (Number(times[13]) + Number(times[14])) / TICKS_PER_SECOND;
  const up = `it is up in ${seconds.toFixed(1)} s, of which it worked ${worked.toFixed(1)} s`;
  expectThat(up, worked < MOST_SECONDS);
  const hasOwn = home.includes("010-2222-3333") && home.includes("느긋 운전연수");
  expectThat("its pages have its own settings", hasOwn && !home.includes(old));
  expectThat(`the volume is user ${statSync(volume).uid}'s now [99]`, statSync(volume).uid === UID);
  const check = docker("inspect", "--format", "{{json .Config.Healthcheck.Test}}", IMAGE);
  docker("exec", "elsewhere", ...JSON.parse(check).slice(1));
  console.info("✓ its health check is content");
  docker("stop", "elsewhere");
  const code = docker("inspect", "--format", "{{.State.ExitCode}}", "elsewhere");
  expectThat(`stopped, it ends with ${code}`, code === "0");
  docker("rm", "elsewhere");
}
