/** Checks the image's files, a start with other settings, and the way back to the image from before an update. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import {
  containerPid,
  docker,
  expectThat,
  fetchStatusCode,
  sitePid,
  waitUntil,
} from "#testing/deploy/inside-machine.ts";
import { Visitors } from "#testing/deploy/visitors.ts";
import { extractApplicationIds } from "#testing/site/application-numbers.ts";

const IMAGE = "driving-practice";
const MAX_BYTES = 300_000_000;
/** Limit of processor time for a start: real time depends on the machine's other work. */
const MAX_PROCESSOR_SECONDS = 10;
const TICKS_PER_SECOND = 100;
const SITE_UID = 1000;
/** Where the image runs beside the site. */
const SECOND_ORIGIN = "http://127.0.0.1:4000";
/** Lists what a user may write, except the folders that Linux and Debian let every user write. */
const FIND_WRITABLE =
  "find / -xdev -writable -not -type l 2>/dev/null | grep -vE '^/(proc|dev|sys|tmp|var/tmp|run/lock)'";

/** `secrets`: strings that no file of /site and /data may contain. */
export function checkImage(secrets: readonly string[]): void {
  const bytes = Number(docker("image", "inspect", "--format", "{{.Size}}", IMAGE));
  expectThat(`the image has ${Math.round(bytes / 1e6)} MB`, bytes <= MAX_BYTES);
  const inside = (user: string, command: string) =>
    docker("run", "--rm", "--user", user, "--entrypoint", "sh", IMAGE, "-c", `${command} || true`);
  const nodes = inside("root", "find / -xdev -type f -name node -perm /111");
  expectThat(`it has one Node: ${nodes} [103]`, nodes.split("\n").length === 1);
  const found = inside("root", `grep -rlE '${secrets.join("|")}' /site /data; ls -d /site/.env`);
  expectThat(`nothing of the settings is in it ${found}`, found === "");
  const writable = inside(`${SITE_UID}`, FIND_WRITABLE);
  expectThat(
    `its user may write ${writable.replaceAll("\n", " ")} alone [59]`,
    writable === "/data",
  );
  const [, uid] = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${sitePid()}/status`, "utf8")) ?? [];
  expectThat(`it runs as user ${uid}`, uid === `${SITE_UID}`);
}

/**
 * Starts the image from before the update, with other settings and a volume that belongs to root. Then the new image
 * changes the tables on that volume. The doctor of the earlier image names the backup from before the update, and the
 * earlier image restores it.
 */
export async function checkWayBack(phone: string): Promise<void> {
  console.info(
    "\n# The image from before with other settings, and on a volume that the update has changed",
  );
  const volume = "/rehearsal/volume";
  mkdirSync(volume, { mode: 0o755 });
  const earlier = `${IMAGE}:earlier`;
  const settings = { INQUIRY_PHONE: "'010-2222-3333'", BUSINESS_NAME: '"느긋 운전연수"' };
  const runOptions = Object.entries(settings).flatMap(([name, value]) => [
    "--env",
    `${name}=${value}`,
  ]);
  runOptions.push("--volume", `${volume}:/data`);
  const command = (image: string, ...words: string[]) => {
    const run = ["run", "--rm", ...runOptions, image, ...words];
    const { stdout, stderr } = spawnSync("docker", run, { encoding: "utf8" });
    return `${stdout}${stderr}`;
  };
  const start = (image: string) => {
    docker(
      "run",
      "--detach",
      "--name",
      "elsewhere",
      ...runOptions,
      "--publish",
      "4000:3000",
      image,
    );
    return waitUntil(async () => (await fetchStatusCode(`${SECOND_ORIGIN}/api/health`)) === 200);
  };
  const stop = () => {
    docker("stop", "elsewhere");
    const code = docker("inspect", "--format", "{{.State.ExitCode}}", "elsewhere");
    expectThat(`stopped, it ends with ${code}`, code === "0");
    docker("rm", "elsewhere");
  };
  await start(earlier);
  const times = readFileSync(`/proc/${containerPid("elsewhere")}/stat`, "utf8").split(" ");
  const worked = (Number(times[13]) + Number(times[14])) / TICKS_PER_SECOND;
  expectThat(`it is up after ${worked.toFixed(1)} s of work`, worked < MAX_PROCESSOR_SECONDS);
  const home = await (await fetch(SECOND_ORIGIN)).text();
  const hasOwn = home.includes("010-2222-3333") && home.includes("느긋 운전연수");
  expectThat("its pages have its own settings", hasOwn && !home.includes(phone));
  expectThat(
    `the volume is user ${statSync(volume).uid}'s now [99]`,
    statSync(volume).uid === SITE_UID,
  );
  const visitors = new Visitors(SECOND_ORIGIN);
  await visitors.applyOnce();
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
  const listed = extractApplicationIds(docker("exec", "elsewhere", "applications", "list"));
  const [promised = "none"] = visitors.acknowledged.keys();
  expectThat(`with that backup it has ${promised}`, listed.includes(promised));
  stop();
}
