/** Runs the site in containers, on the machine that testing/deploy/test-deploy.ts has isolated. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { checkImage, checkWayBack } from "#testing/deploy/image.ts";
import * as machine from "#testing/deploy/inside-machine.ts";
import * as steps from "#testing/deploy/steps.ts";
import { TWILIO_ACCOUNT } from "#testing/peers/twilio-peer.ts";
import { extractApplicationIds } from "#testing/site/application-numbers.ts";

const { docker, expectThat, waitUntil, REPOSITORY, runManualBlock, SITE_FOLDER, sitePid } = machine;
const { expectNothingLost, FIRST_PHONE, ORIGIN, SETTINGS, twilio, visitors } = steps;

/** An editor that appends these settings. If a name occurs twice, its last line counts. */
function appendingEditor(changed: Record<string, string>): string {
  const lines = Object.entries(changed).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync("/rehearsal/settings", lines.join(""));
  const path = "/rehearsal/editor";
  writeFileSync(path, '#!/bin/sh\ncat /rehearsal/settings >>"$1"\n', { mode: 0o755 });
  return path;
}

const installation: steps.Installation = {
  mayFail: [],
  update: () => runManualBlock("update"),
  changeSettings: async (settings) => {
    await runManualBlock("settings", { EDITOR: appendingEditor(settings) });
    await runManualBlock("changed");
  },
  listApplications: () =>
    docker("compose", "exec", "-T", "site", "applications", "list", "--limit", "100000"),
};

async function start(): Promise<void> {
  await runManualBlock("source", { REPOSITORY });
  const caddyfile = readFileSync(`${SITE_FOLDER}/deploy/Caddyfile`, "utf8");
  writeFileSync("/rehearsal/Caddyfile", `{\n\tlocal_certs\n}\n${caddyfile}`);
  const volume = '["/rehearsal/Caddyfile:/etc/caddy/Caddyfile:ro"]';
  writeFileSync(
    `${SITE_FOLDER}/compose.override.yml`,
    `services: { caddy: { volumes: ${volume} } }\n`,
  );
  await runManualBlock("settings", { EDITOR: appendingEditor(SETTINGS) });
  await runManualBlock("start");
  checkImage([FIRST_PHONE, TWILIO_ACCOUNT.authToken]);
  const authority = "/data/caddy/pki/authorities/local/root.crt";
  await steps.expectServedWith(docker("compose", "exec", "-T", "caddy", "cat", authority));
  await runManualBlock("doctor");
  console.info("✓ the doctor ends with 0");
}

async function kill(): Promise<void> {
  console.info("\n# The site is killed while applications come in");
  visitors.arrive(["/"]);
  await pause(2_000);
  const killed = sitePid();
  process.kill(killed, "SIGKILL");
  await pause(8_000);
  await visitors.leave(["GET", "POST"]);
  const isUp = await waitUntil(async () => (await machine.fetchStatusCode(ORIGIN)) === 200);
  expectThat("Docker has restarted it", sitePid() !== killed && isUp);
  await expectNothingLost(installation);
}

async function restore(): Promise<void> {
  console.info("\n# A backup under load, the data lost, and restored");
  // Twilio takes no messages for now, so that applications wait.
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
  const reached = steps.countTextsByNumber();
  twilio.always(undefined);
  await runManualBlock("restore", { BACKUP: "/rehearsal/backup.db" });
  const before = [...visitors.acknowledged].filter(([, at]) => at < backedUpAt);
  const promised = before.map(([number]) => number);
  const restored = new Set(extractApplicationIds(installation.listApplications()));
  const gone = promised.filter((number) => !restored.has(number)).length;
  expectThat(`${promised.length} acknowledged before it, ${gone} not restored`, gone === 0);
  const waited = promised.filter((number) => !reached.has(number));
  const open = (await steps.awaitDelivery(waited)).length;
  expectThat(`${waited.length} of them waited, ${open} still do`, waited.length > open && !open);
}

await runManualBlock("docker");
const daemon = await machine.startDocker();
try {
  const standIns = machine.provideImages();
  await start();
  await steps.updateUnderLoad(installation);
  await checkWayBack(FIRST_PHONE);
  await steps.changePhone(installation);
  await kill();
  await restore();
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
