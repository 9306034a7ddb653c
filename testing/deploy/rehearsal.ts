/**
 * The whole of docs/operations.md, typed in as it stands there, on a machine that testing/deploy/test-deploy.ts
 * has set aside: install, doctor, update under load, backup under load, loss of the data, restore.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { tryCaddy } from "#testing/deploy/caddy.ts";
import { expectThat } from "#testing/deploy/expect-that.ts";
import {
  assetsOf,
  changeTheProgram,
  failingRelease,
  HOME,
  inService,
  RELEASE,
  storedIn,
  UPSTREAM,
  unitFaults,
  writableByOthers,
} from "#testing/deploy/machine.ts";
import { commandsInManual } from "#testing/deploy/manual.ts";
import { DATA, DOMAIN, settings } from "#testing/deploy/settings.ts";
import { Visitors } from "#testing/deploy/visitors.ts";
import { numbersIn } from "#testing/numbers-in.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";

const DELIVERY_LIMIT_MS = 120_000;

/** A second. */
const RATES = { requests: 50, applications: 5 };

const [folder = ""] = process.argv.slice(2);
const manual = commandsInManual();
const twilio = new TwilioPeer();
const smtp = new SmtpPeer({ login: true, startTls: true });

/** Types in a block of the manual, as root; ends the rehearsal where it fails. */
async function type(name: string, env: Record<string, string> = {}): Promise<void> {
  const commands = manual.get(name);
  if (commands === undefined) throw new Error(`docs/operations.md has no block "${name}"`);
  console.info(`\n# ${name}\n${commands.trim()}`);
  const child = spawn("bash", ["-euo", "pipefail", "-c", commands], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The commands of "${name}" ended with ${code}.`);
}

/** An editor that appends; in the settings the last line of a name counts. */
function editor(): string {
  const additions = join(folder, "settings");
  writeFileSync(additions, settings(twilio, smtp));
  const path = join(folder, "editor");
  writeFileSync(path, `#!/bin/sh\ncat ${additions} >>"$1"\n`, { mode: 0o755 });
  return path;
}

/** How often each number arrived with the owner. */
function arrivals(): Map<string, number> {
  const texts = [
    ...twilio.messages.map(({ body }) => body),
    ...smtp.mails.map(({ parsed }) => parsed.subject ?? ""),
  ];
  const counts = new Map<string, number>();
  for (const text of texts) {
    const [number] = numbersIn(text);
    if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

/** The numbers of which nothing has arrived after this long, at the latest. */
async function missingAfter(ms: number, numbers: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + ms;
  for (;;) {
    const arrived = arrivals();
    const missing = numbers.filter((number) => !arrived.has(number));
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await pause(250);
  }
}

/** What visitors get until the home page is there: the statuses in their order, each once. */
async function statusesUntilUp(visitors: Visitors, ms: number): Promise<number[]> {
  const deadline = Date.now() + ms;
  const statuses = new Set<number>();
  while (!statuses.has(200) && Date.now() < deadline) {
    statuses.add((await visitors.ask("/")).status);
    await pause(250);
  }
  return [...statuses];
}

await twilio.start();
await smtp.start();
try {
  for (const name of ["user", "source"]) await type(name);
  await type("settings", { EDITOR: editor() });
  for (const name of ["certificate", "units", "release"]) await type(name);

  const said = unitFaults();
  expectThat(
    `systemd-analyze verify finds no fault in the units${said && `: ${said}`}`,
    said === "",
  );

  const watchdog = /^ExecStart=(\S+) %i$/m.exec(
    readFileSync("/etc/systemd/system/driving-practice-watchdog@.service", "utf8"),
  )?.[1];
  if (watchdog === undefined) throw new Error("the watchdog's unit names no program");
  const rootRuns = [watchdog, RELEASE, realpathSync("/usr/local/bin/driving-practice")];
  const writable = rootRuns.flatMap(writableByOthers);
  expectThat(`nobody but root can write what root runs ${writable}`, writable.length === 0);

  const certificate = readFileSync("/etc/ssl/driving-practice/fullchain.pem", "utf8");
  const visitors = new Visitors(DOMAIN, certificate);
  const home = await visitors.ask("/");
  expectThat("the site is up over https", home.status === 200 && home.body.includes('lang="ko"'));
  await type("doctor");
  console.info("✓ the doctor ends with 0");

  console.info(
    `\n# An update under ${RATES.requests} requests/s and ${RATES.applications} applications/s`,
  );
  const assets = assetsOf(home.body);
  const paths = ["/", "/pricing", "/gallery", "/contact", "/privacy", "/api/health", ...assets];
  changeTheProgram(folder);
  visitors.arrive({ paths, ...RATES });
  await pause(3_000);
  await type("update");
  const after = await visitors.ask("/");
  await pause(5_000);
  await visitors.leave();
  const { requests, applications, failures, acknowledged } = visitors;
  const changed = assets.filter((asset) => !assetsOf(after.body).includes(asset));
  expectThat(
    `the new build is served: ${changed.length} of its assets have other names`,
    changed.length > 0,
  );
  const old = await Promise.all(changed.map((asset) => visitors.ask(asset)));
  expectThat(
    "a page of the old build still gets its files",
    old.every(({ status }) => status === 200),
  );
  for (const failure of failures.slice(0, 10)) console.info(failure);
  expectThat(
    `${requests} requests and ${applications} applications, ${failures.length} failed`,
    failures.length === 0,
  );
  const stored = storedIn(`${DATA}/applications.db`);
  const lost = [...acknowledged.keys()].filter((number) => !stored.has(number));
  expectThat(`${acknowledged.size} acknowledged, ${lost.length} not stored`, lost.length === 0);
  const missing = await missingAfter(DELIVERY_LIMIT_MS, [...acknowledged.keys()]);
  const twice = [...arrivals().values()].filter((count) => count > 1).length;
  expectThat(
    `${missing.length} did not reach the owner, ${twice} came twice`,
    missing.length + twice === 0,
  );

  console.info("\n# Caddy in front of the same site");
  const [, sitePort = ""] = /127\.0\.0\.1:(\d+)/.exec(readFileSync(UPSTREAM, "utf8")) ?? [];
  const [present = ""] = assetsOf(after.body);
  const [earlier = ""] = changed;
  await tryCaddy({ folder, sitePort, assets: `${HOME}/assets`, present, earlier });

  console.info("\n# An update that is interrupted, and one that nginx does not take");
  const before = inService();
  const interrupted = await failingRelease((said, end) => said.includes("1/5") && end());
  expectThat(`interrupted, it ends with ${interrupted}`, interrupted !== 0);
  expectThat("and nothing has changed", inService() === before);
  renameSync("/run/nginx.pid", "/run/nginx.pid.aside");
  const refused = await failingRelease(() => undefined);
  renameSync("/run/nginx.pid.aside", "/run/nginx.pid");
  expectThat(`where nginx cannot be reloaded, it ends with ${refused}`, refused !== 0);
  expectThat("and nothing has changed", inService() === before);
  expectThat("the site answers", (await visitors.ask("/")).status === 200);

  console.info("\n# A site that hangs");
  const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(readFileSync(UPSTREAM, "utf8")) ?? [];
  const pid = () => Number(readFileSync(`/run/driving-practice@${port}.pid`, "utf8"));
  const hanging = pid();
  process.kill(hanging, "SIGSTOP");
  spawnSync(watchdog, [port], { stdio: "inherit" });
  expectThat("the watchdog has started it anew", pid() !== hanging);
  const restartedAt = Date.now();
  const statuses = await statusesUntilUp(visitors, 60_000);
  const seconds = ((Date.now() - restartedAt) / 1_000).toFixed(1);
  expectThat(`and it answers: ${statuses.join(", ")} after ${seconds} s`, statuses.at(-1) === 200);

  const commit = (which: string) =>
    execFileSync("git", ["-C", `${HOME}/source`, "rev-parse", which], { encoding: "utf8" }).trim();
  await type("rollback", { COMMIT: commit("HEAD~1") });
  const back = await visitors.ask("/");
  expectThat(
    "the release before is served again",
    assets.every((asset) => assetsOf(back.body).includes(asset)),
  );
  await type("update");
  const forth = await visitors.ask("/");
  expectThat(
    "and the next update works as always",
    assetsOf(forth.body).join() === assetsOf(after.body).join(),
  );

  console.info("\n# A backup under load, the data lost, and restored");
  smtp.always({ sender: 451 });
  visitors.arrive({ paths: ["/"], ...RATES });
  await pause(4_000);
  const backedUpAt = Date.now();
  await type("backup");
  await pause(2_000);
  await visitors.leave();
  const [newest = ""] = readdirSync(`${DATA}/backups`).toSorted().toReversed();
  const elsewhere = join(folder, "elsewhere.db");
  writeFileSync(elsewhere, readFileSync(join(DATA, "backups", newest)));
  for (const name of readdirSync(DATA)) rmSync(join(DATA, name), { recursive: true });
  const reached = new Set(arrivals().keys());

  await type("restore", { BACKUP: elsewhere });
  smtp.always(undefined);
  const promised = [...acknowledged].filter(([, at]) => at < backedUpAt).map(([number]) => number);
  const restored = storedIn(`${DATA}/applications.db`);
  const gone = promised.filter((number) => !restored.has(number));
  expectThat(
    `${promised.length} acknowledged before the backup, ${gone.length} not in the restored store`,
    gone.length === 0,
  );
  const waited = promised.filter((number) => !reached.has(number));
  const still = await missingAfter(DELIVERY_LIMIT_MS, waited);
  expectThat(
    `${waited.length} of them waited, ${still.length} still do`,
    waited.length > 0 && still.length === 0,
  );
  visitors.close();
} finally {
  await Promise.all([twilio.stop(), smtp.stop()]);
}
