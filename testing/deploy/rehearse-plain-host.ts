/** Runs the site without containers, on the machine that testing/deploy/test-deploy.ts has isolated. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { jsonBody } from "#testing/browser/form.ts";
import { extractApplicationIds } from "#testing/chaos/application-numbers.ts";
import {
  expectThat,
  fetchStatusCode,
  git,
  publish,
  publishNextVersion,
  REPOSITORY,
  runManualBlock,
  SITE_FOLDER,
} from "#testing/deploy/machine.ts";
import { renameColumn } from "#testing/deploy/next-version.ts";

const SITE = `${SITE_FOLDER}/site`;
const CURRENT = `${SITE_FOLDER}/current`;
const DATA = "/var/lib/driving-practice";
const ORIGIN = "http://127.0.0.1:3000";
const USER = "driving-practice";
const START_LIMIT_MS = 120_000;
/** The host's PATH has the replacement of systemd, but not the rehearsal's Node in /usr/local. */
const env = { PATH: "/rehearsal/bin:/usr/sbin:/usr/bin:/sbin:/bin", REPOSITORY };
const SETTINGS = `
SITE_URL=https://practice.example
INQUIRY_PHONE=010-7351-9264
DATA_DIR=${DATA}
HOSTNAME=127.0.0.1
`;
const UNIT = "/etc/systemd/system/driving-practice.service";
const KEYS = "/etc/ssl/driving-practice";

async function statusOf(path: string): Promise<number> {
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await pause(250)) {
    const status = await fetchStatusCode(ORIGIN + path);
    if (status !== 0) return status;
  }
  return 0;
}

/** Checks that the site's process is the packaged Node, runs as the unit's user, and has no capabilities. */
function expectConfinedProcess(): void {
  const pid = readFileSync("/run/driving-practice.pid", "utf8").trim();
  const program = readlinkSync(`/proc/${pid}/exe`);
  expectThat(`the unit runs ${program}`, program.startsWith(`${SITE_FOLDER}/versions/`));
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const uid = execFileSync("id", ["-u", USER], { encoding: "utf8" }).trim();
  expectThat(`it runs as ${USER}`, status.includes(`Uid:\t${uid}\t`));
  const isBare = /^CapBnd:\t0+$/m.test(status) && /^NoNewPrivs:\t1$/m.test(status);
  expectThat("it has no capability and gets none", isBare);
  const write = `touch ${CURRENT}/written`;
  const inside = ["--target", pid, "--mount", "runuser", "-u", USER, "--", "sh", "-c", write];
  expectThat("it cannot write to its program", spawnSync("nsenter", inside).status !== 0);
}

let accepted = 0;

async function expectAccepted(): Promise<void> {
  // A site that was started a moment ago does not answer yet.
  await statusOf("/");
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const body = jsonBody({ name: "배포" });
  const path = "/api/mail/training-application";
  const { status } = await fetch(ORIGIN + path, { method: "POST", headers, body });
  expectThat(`an application is answered with ${status}`, status === 200);
  accepted++;
}

/** The words with which an update ends that may not succeed. */
const refusal = () =>
  runManualBlock("plain-update", env).then(
    () => "",
    (error: Error) => error.message,
  );

function checkPlainHost(): void {
  console.info("\n# The unit for systemd and the site for nginx");
  const said = (command: string) => {
    const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    return `${stdout}${stderr}`.trim();
  };
  mkdirSync(KEYS, { recursive: true });
  cpSync("deploy/driving-practice.service", UNIT);
  const verified = said(`systemd-analyze verify --man=no ${UNIT}`);
  expectThat(`systemd-analyze verify: ${verified || "no fault"}`, verified === "");
  const exposure = said(`systemd-analyze security --offline=yes ${UNIT} | tail -n 1`);
  expectThat(exposure, /: [01]\.\d OK/.test(exposure));
  cpSync("deploy/nginx.conf", "/etc/nginx/conf.d/driving-practice.conf");
  said(
    `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=practice.example -keyout ${KEYS}/privkey.pem -out ${KEYS}/fullchain.pem`,
  );
  const tested = said("nginx -t");
  expectThat(`nginx -t: ${tested}`, tested.includes("test is successful"));
}

mkdirSync("/rehearsal/bin", { recursive: true });
copyFileSync("testing/deploy/systemctl.sh", "/rehearsal/bin/systemctl");
chmodSync("/rehearsal/bin/systemctl", 0o755);
// Git refuses to clone a repository of root as the site's user unless a setting allows it.
writeFileSync("/etc/gitconfig", "[safe]\n\tdirectory = *\n");
await runManualBlock("plain-source", env);
appendFileSync("/etc/driving-practice.env", SETTINGS);
// A disk of its own can be filled. It is in memory, which the doctor of every version calls a fault.
mkdirSync(DATA);
execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", DATA]);
await runManualBlock("plain-start", env);
expectThat(`the home page answers ${await statusOf("/")}`, (await statusOf("/")) === 200);
expectThat("the site is healthy", (await statusOf("/api/health")) === 200);
expectConfinedProcess();
await expectAccepted();

publishNextVersion();
// The update must keep a file that is committed on the host.
git(SITE, "switch", "--quiet", "--create", "our-site");
writeFileSync(`${SITE}/public/own.txt`, "own\n");
git(SITE, "add", "--all");
git(SITE, "commit", "--quiet", "--message", "Our own file");
execFileSync("chown", ["-R", `${USER}:`, SITE]);
const ballast = `${DATA}/ballast`;
spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]);
expectThat("a full disk stops the update", (await refusal()).includes("there is no backup"));
rmSync(ballast);
await expectAccepted();
await runManualBlock("plain-update", env);
expectThat("the updated site is healthy", (await statusOf("/api/health")) === 200);
const updated = readFileSync(`${CURRENT}/app/globals.css`, "utf8").includes("--release: 2");
const kept = readFileSync(`${CURRENT}/public/own.txt`, "utf8") === "own\n";
expectThat("the update brought the new version and kept the own commit", updated && kept);
await expectAccepted();

publish((clone) => {
  renameColumn(clone, "fingerprint", "imprint");
  const main = `${clone}/server/main.ts`;
  const fails = "if (process.env.DATA_DIR === undefined) process.exit(1);";
  writeFileSync(main, `${fails}\n${readFileSync(main, "utf8")}`);
});
writeFileSync(`${SITE}/public/own.txt`, "changed\n");
expectThat("uncommitted changes stop it", (await refusal()).includes("not committed"));
git(SITE, "checkout", "--quiet", "public/own.txt");
expectThat(
  "a version that fails later is taken back",
  (await refusal()).includes("on its own data"),
);
expectThat("the site is healthy", (await statusOf("/api/health")) === 200);
await expectAccepted();
const commands = `cd ${CURRENT} && npm run --silent applications -- list --limit 1000`;
const listed = execFileSync("runuser", ["-u", USER, "--", "sh", "-c", commands], {
  env: { ...process.env, ...env },
  encoding: "utf8",
});
const stored = extractApplicationIds(listed).length;
expectThat(`${accepted} acknowledged, ${stored} stored`, stored === accepted);
execFileSync("/rehearsal/bin/systemctl", ["stop"]);
checkPlainHost();
