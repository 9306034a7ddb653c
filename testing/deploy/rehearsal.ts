/** Runs the site in containers, on the machine that testing/deploy/test-deploy.ts has isolated. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { MINUTE } from "#lib/application/durations.ts";
import { pagePaths } from "#lib/content/pages.ts";
import { extractApplicationIds } from "#testing/chaos/application-numbers.ts";
import { countMessages, expectNothingLost, findUndelivered } from "#testing/deploy/arrivals.ts";
import { checkImage, checkImageOnNewHost, checkWayBack } from "#testing/deploy/image.ts";
import * as machine from "#testing/deploy/machine.ts";
import { Visitors } from "#testing/deploy/visitors.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { smsSettings } from "#testing/site/settings.ts";
import { HIGH_LIMITS } from "#testing/site/site.ts";

const { docker, expectThat, REPOSITORY, runManualBlock, SITE_FOLDER, sitePid } = machine;
const ORIGIN = "https://practice.example";
/** A phone number that is in no example of the program, so that no file of the image may contain the number. */
const NUMBER = "010-7351-9264";
/** The interval of the image's health check, plus some slack. */
const HEALTH_CHECK_INTERVAL_MS = 35_000;

const twilio = new TwilioPeer();
// Containers reach the fake Twilio at the machine's network address, not at 127.0.0.1.
await twilio.start(8_080, "0.0.0.0");
const values = {
  SITE_URL: ORIGIN,
  INQUIRY_PHONE: NUMBER,
  ...smsSettings(twilio),
  TWILIO_API_URL: "http://10.0.2.100:8080",
  BUSINESS_NAME: "차근차근 운전연수",
  BUSINESS_OWNER: "김여주",
  BUSINESS_REGISTRATION: "123-45-67890",
  BUSINESS_ADDRESS: "경기도 여주시 세종로 1",
  BUSINESS_EMAIL: "owner@practice.example",
  ACADEMY_REGISTRATION: "제1호",
  ...HIGH_LIMITS,
};

/** An editor that appends these settings. If a name occurs twice, its last line counts. */
function appendingEditor(changed: Record<string, string>): string {
  const lines = Object.entries(changed).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync("/rehearsal/settings", lines.join(""));
  const path = "/rehearsal/editor";
  writeFileSync(path, '#!/bin/sh\ncat /rehearsal/settings >>"$1"\n', { mode: 0o755 });
  return path;
}

const page = async (path: string) => (await fetch(ORIGIN + path)).text();

async function assetsOf(path: string): Promise<string[]> {
  const found = (await page(path)).matchAll(/(?:src|href)="(\/_next\/static\/[^"?]+)/g);
  return [...new Set([...found].map(([, asset = ""]) => asset))];
}

async function start(): Promise<void> {
  await runManualBlock("source", { REPOSITORY });
  // No certificate authority certifies an invented domain, so Caddy is its own authority.
  const caddyfile = readFileSync(`${SITE_FOLDER}/deploy/Caddyfile`, "utf8");
  writeFileSync("/rehearsal/Caddyfile", `{\n\tlocal_certs\n}\n${caddyfile}`);
  const volume = '["/rehearsal/Caddyfile:/etc/caddy/Caddyfile:ro"]';
  writeFileSync(
    `${SITE_FOLDER}/compose.override.yml`,
    `services: { caddy: { volumes: ${volume} } }\n`,
  );
  await runManualBlock("settings", { EDITOR: appendingEditor(values) });
  await runManualBlock("start");
  checkImage([NUMBER, TWILIO_ACCOUNT.authToken]);
  const authority = "/data/caddy/pki/authorities/local/root.crt";
  const certificate = docker("compose", "exec", "-T", "caddy", "cat", authority);
  setDefaultCACertificates([...getCACertificates(), certificate]);
  expectThat("the site is up over https", (await page("/")).includes('lang="ko"'));
  const www = await fetch("https://www.practice.example/pricing?a=1", { redirect: "manual" });
  const target = www.headers.get("location");
  expectThat(`www leads to it: ${www.status} ${target}`, target === `${ORIGIN}/pricing?a=1`);
  await runManualBlock("doctor");
  console.info("✓ the doctor ends with 0");
}

async function update(visitors: Visitors): Promise<void> {
  console.info("\n# An update under load");
  const assets = await assetsOf("/");
  machine.publishNextVersion();
  visitors.arrive([...pagePaths, "/api/health", ...assets]);
  await pause(3_000);
  await runManualBlock("update");
  await pause(3_000);
  await visitors.leave();
  const after = await assetsOf("/");
  const changed = assets.filter((asset) => !after.includes(asset));
  expectThat(`${changed.length} files of the new build have other names`, changed.length > 0);
  const old = await Promise.all(changed.map((asset) => fetch(ORIGIN + asset)));
  const areThere = old.every(({ ok }) => ok);
  expectThat("a page of the old build still gets its files", areThere);
  await expectNothingLost(twilio, visitors);
  await checkWayBack();
}

async function changeNumber(visitors: Visitors): Promise<void> {
  console.info("\n# A changed number, under the same load");
  visitors.arrive(pagePaths);
  await pause(1_000);
  const phone = "010-8765-4321";
  await runManualBlock("settings", { EDITOR: appendingEditor({ INQUIRY_PHONE: phone }) });
  await runManualBlock("changed");
  await visitors.leave();
  const pages = await Promise.all([...pagePaths, "/nowhere"].map(page));
  const isNew = pages.every((html) => html.includes(phone) && !html.includes(NUMBER));
  expectThat("every page has the new number, none the old one [73]", isNew);
}

async function kill(visitors: Visitors): Promise<void> {
  console.info("\n# The site is killed while applications come in");
  visitors.arrive(["/"]);
  await pause(2_000);
  const killed = sitePid();
  process.kill(killed, "SIGKILL");
  await pause(8_000);
  await visitors.leave({ mayFail: true });
  expectThat("Docker has restarted it", sitePid() !== killed && (await page("/")) !== "");
  await expectNothingLost(twilio, visitors);
}

async function waitForStatus(path: string, wanted: number): Promise<boolean> {
  for (const end = Date.now() + 20 * MINUTE; Date.now() < end; await pause(1_000))
    if ((await machine.fetchStatusCode(ORIGIN + path)) === wanted) return true;
  return false;
}

/** Checks that status calls a person after a rejected login, while health keeps the site running. */
async function refuseLogin(visitors: Visitors): Promise<void> {
  console.info("\n# Twilio refuses the login: nothing gets through");
  const comeAndGo = async () => {
    visitors.arrive([...pagePaths, "/api/health"]);
    await pause(1_000);
    await visitors.leave();
  };
  twilio.always({ status: 401, code: 20003 });
  await comeAndGo();
  expectThat("/api/status becomes 503", await waitForStatus("/api/status", 503));
  await pause(HEALTH_CHECK_INTERVAL_MS);
  await comeAndGo();
  const container = docker("compose", "ps", "--format", "{{.Health}}", "site");
  expectThat(`Docker calls the site ${container}`, container === "healthy");
  await runManualBlock("changed");
  const isContent = await runManualBlock("doctor").then(
    () => true,
    () => false,
  );
  expectThat("the doctor ends with another code than 0", !isContent);
  twilio.always(undefined);
  docker("compose", "restart", "site");
  expectThat("repaired and restarted, it becomes 200", await waitForStatus("/api/status", 200));
  await expectNothingLost(twilio, visitors);
}

async function restore(visitors: Visitors): Promise<void> {
  console.info("\n# A backup under load, the data lost, and restored");
  // Twilio refuses messages for now, so that applications wait.
  twilio.always({ status: 429 });
  visitors.arrive(["/"]);
  await pause(3_000);
  const backedUpAt = Date.now();
  await runManualBlock("backup");
  await pause(1_000);
  await visitors.leave();
  await runManualBlock("nightly");
  const backups = docker("compose", "exec", "-T", "site", "ls", "-r", "/data/backups").split("\n");
  const newest = backups.find((name) => name.startsWith("applications-"));
  docker("compose", "cp", `site:/data/backups/${newest}`, "/rehearsal/backup.db");
  docker("compose", "rm", "--stop", "--force", "site");
  docker("volume", "rm", "driving-practice_data");
  docker("compose", "up", "--detach", "--wait");
  const reached = countMessages(twilio);
  twilio.always(undefined);
  await runManualBlock("restore", { BACKUP: "/rehearsal/backup.db" });
  const before = [...visitors.acknowledged].filter(([, at]) => at < backedUpAt);
  const promised = before.map(([number]) => number);
  const restored = new Set(extractApplicationIds(machine.runListCommand()));
  const gone = promised.filter((number) => !restored.has(number)).length;
  expectThat(`${promised.length} acknowledged before it, ${gone} not restored`, gone === 0);
  const waited = promised.filter((number) => !reached.has(number));
  const open = (await findUndelivered(twilio, waited)).length;
  expectThat(`${waited.length} of them waited, ${open} still do`, waited.length > open && !open);
}

await runManualBlock("docker");
const daemon = await machine.startDocker();
try {
  const standIns = machine.provideImages();
  await start();
  await checkImageOnNewHost(values, NUMBER);
  const visitors = new Visitors(ORIGIN);
  for (const stage of [update, changeNumber, kill, refuseLogin, restore]) await stage(visitors);
  console.info("\n# Not tried");
  if (standIns.length > 0)
    console.info(
      `- The official images, which could not be fetched: Debian's packages stood in (${standIns.join(", ")}). Its Caddy is older than 2.11.2: where an application would wait, it answers 502, and a browser sends it again.`,
    );
  console.info("- A certificate of Let's Encrypt, Twilio itself, a reboot, cron.");
} catch (error) {
  console.error(error);
  console.error(docker("compose", "logs", "--no-color", "--tail", "50"));
  process.exitCode = 1;
} finally {
  if (existsSync(SITE_FOLDER)) docker("compose", "down", "--volumes", "--timeout", "5");
  daemon.kill();
  await twilio.stop();
}
