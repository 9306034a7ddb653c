/** Runs the site without containers, on the machine that testing/deploy/test-deploy.ts has isolated. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import {
  expectThat,
  fetchStatusCode,
  REPOSITORY,
  runManualBlock,
  SITE_FOLDER,
  waitUntil,
} from "#testing/deploy/inside-machine.ts";
import * as steps from "#testing/deploy/steps.ts";

const { ORIGIN, visitors } = steps;
const SITE = `${SITE_FOLDER}/site`;
const CURRENT = `${SITE_FOLDER}/current`;
const SETTINGS_FILE = "/etc/driving-practice.env";
const USER = "driving-practice";
const UNIT_FILE = "/etc/systemd/system/driving-practice.service";
const KEYS = "/etc/ssl/driving-practice";
/** The host's PATH has the replacement of systemd, but not the rehearsal's Node in /usr/local. */
const env = { PATH: "/rehearsal/bin:/usr/sbin:/usr/bin:/sbin:/bin", REPOSITORY };

const run = (command: string) => {
  const { stdout, stderr } = spawnSync("sh", ["-c", command], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return `${stdout}${stderr}`.trim();
};

/** Replaces the lines of these settings, because the site refuses a file in which a name occurs twice. */
function changeSettings(changed: Record<string, string>): void {
  const lines = readFileSync(SETTINGS_FILE, "utf8").split("\n");
  const kept = lines.filter((line) => !Object.hasOwn(changed, line.split("=")[0] ?? ""));
  const added = Object.entries(changed).map(([name, value]) => `${name}="${value}"`);
  writeFileSync(SETTINGS_FILE, [...kept, ...added, ""].join("\n"));
}

const waitForSite = () =>
  waitUntil(async () => (await fetchStatusCode(`${ORIGIN}/api/health`)) === 200);

const installation: steps.Installation = {
  // nginx answers 502 while the site restarts.
  mayFail: ["GET"],
  update: () => runManualBlock("plain-update", env),
  changeSettings: async (settings) => {
    changeSettings(settings);
    run("systemctl restart");
    await waitForSite();
  },
  listApplications: () =>
    run(
      `cd ${CURRENT} && runuser -u ${USER} -- npm run --silent applications -- list --limit 100000`,
    ),
};

async function start(): Promise<void> {
  mkdirSync("/rehearsal/bin", { recursive: true });
  copyFileSync("testing/deploy/systemctl.sh", "/rehearsal/bin/systemctl");
  chmodSync("/rehearsal/bin/systemctl", 0o755);
  // Git refuses to clone a repository of root as the site's user unless a setting allows it.
  writeFileSync("/etc/gitconfig", "[safe]\n\tdirectory = *\n");
  await runManualBlock("plain-source", env);
  const own = { DATA_DIR: "/var/lib/driving-practice", HOSTNAME: "127.0.0.1" };
  changeSettings({ ...steps.SETTINGS, ...own });
  await runManualBlock("plain-start", env);
  startNginx();
  await steps.expectServedWith(readFileSync(`${KEYS}/fullchain.pem`, "utf8"));
  expectThat("the site is healthy", await waitForSite());
  expectConfinedProcess();
}

function startNginx(): void {
  mkdirSync(KEYS, { recursive: true });
  run(
    `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=practice.example -addext subjectAltName=DNS:practice.example,DNS:www.practice.example -keyout ${KEYS}/privkey.pem -out ${KEYS}/fullchain.pem`,
  );
  cpSync(`${SITE}/deploy/nginx.conf`, "/etc/nginx/conf.d/driving-practice.conf");
  const tested = run("nginx -t");
  expectThat(`nginx -t: ${tested}`, tested.includes("test is successful"));
  spawn("nginx", ["-g", "daemon off;"], { stdio: "ignore" }).unref();
}

/** Checks the unit, and the program and the user of the site's process. */
function expectConfinedProcess(): void {
  const verified = run(`systemd-analyze verify --man=no ${UNIT_FILE}`);
  expectThat(`systemd-analyze verify: ${verified || "no fault"}`, verified === "");
  const exposure = run(`systemd-analyze security --offline=yes ${UNIT_FILE} | tail -n 1`);
  expectThat(exposure, /: [01]\.\d OK/.test(exposure));
  const pid = readFileSync("/run/driving-practice.pid", "utf8").trim();
  const program = readlinkSync(`/proc/${pid}/exe`);
  expectThat(`the unit runs ${program}`, program.startsWith(`${SITE_FOLDER}/versions/`));
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  expectThat(`it runs as ${USER}`, status.includes(`Uid:\t${run(`id -u ${USER}`)}\t`));
}

try {
  await start();
  await visitors.applyOnce();
  await steps.updateUnderLoad(installation);
  await steps.changePhone(installation);
} catch (error) {
  console.error(error);
  console.error(run("tail -n 50 /var/log/driving-practice.log"));
  process.exitCode = 1;
} finally {
  run("systemctl stop; nginx -s stop");
  await steps.twilio.stop();
}
