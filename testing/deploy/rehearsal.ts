/** The life of the site in containers, on the machine that testing/deploy/test-deploy.ts has set aside. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { pagePaths } from "#lib/content/pages.ts";
import {
  docker,
  HOME,
  listed,
  provideImages,
  sitePid,
  startDocker,
  stopDocker,
} from "#testing/deploy/docker.ts";
import { expectThat } from "#testing/deploy/expect-that.ts";
import { lookIntoImage, tryElsewhere } from "#testing/deploy/image.ts";
import { type } from "#testing/deploy/manual.ts";
import { checkPlainHost } from "#testing/deploy/plain-host.ts";
import { asLines, DOMAIN, NUMBER, settings } from "#testing/deploy/settings.ts";
import { assetsOf, changeTheProgram } from "#testing/deploy/versions.ts";
import { Visitors } from "#testing/deploy/visitors.ts";
import { numbersIn } from "#testing/numbers-in.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";

const REPOSITORY = "/rehearsal/repository.git";
const DELIVERY_LIMIT_MS = 120_000;
/** A second. */
const RATES = { requests: 50, applications: 5 };

const twilio = new TwilioPeer();
const apiUrl = await reachable(new URL(await twilio.start()).port);
const values = settings(twilio, apiUrl);

/** The peer listens on this machine alone; containers reach it at another port. */
async function reachable(port: string): Promise<string> {
  const server = createServer((socket) => {
    const peer = connect(Number(port), "127.0.0.1");
    socket.pipe(peer).pipe(socket);
    socket.on("error", () => peer.destroy());
    peer.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(8_080, "0.0.0.0", resolve));
  server.unref();
  return "http://10.0.2.100:8080";
}

/** An editor that writes these settings; the last line of a name counts. */
function editor(changed: Record<string, string>): string {
  writeFileSync("/rehearsal/settings", asLines(changed));
  const path = "/rehearsal/editor";
  writeFileSync(path, '#!/bin/sh\ncat /rehearsal/settings >>"$1"\n', { mode: 0o755 });
  return path;
}

/** How often each number arrived with the owner. */
function arrivals(): Map<string, number> {
  const counts = new Map<string, number>();
  // The last line is its own number; before it, one of an earlier application can stand.
  for (const { body } of twilio.messages)
    for (const number of numbersIn(body).slice(-1))
      counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** The numbers of which nothing has arrived after two minutes. */
async function missing(numbers: Iterable<string>): Promise<string[]> {
  const deadline = Date.now() + DELIVERY_LIMIT_MS;
  for (;;) {
    const arrived = arrivals();
    const open = [...numbers].filter((number) => !arrived.has(number));
    if (open.length === 0 || Date.now() > deadline) return open;
    await pause(250);
  }
}

/** Every acknowledged application is stored, and came once. */
async function expectNothingLost({ acknowledged }: Visitors): Promise<void> {
  const stored = new Set(numbersIn(listed()));
  const lost = [...acknowledged.keys()].filter((number) => !stored.has(number));
  expectThat(`${acknowledged.size} acknowledged, ${lost.length} not stored`, lost.length === 0);
  const open = await missing(acknowledged.keys());
  const twice = [...arrivals()].filter(([, count]) => count > 1).map(([number]) => number);
  expectThat(
    `${open.length} did not reach the owner, ${twice.length} came twice ${twice}`,
    open.length + twice.length === 0,
  );
}

await type("docker");
const daemon = await startDocker();
try {
  const standIns = provideImages();
  await type("source", { REPOSITORY });
  // No authority certifies a domain that nobody has: Caddy is its own here. Nothing else is other than shipped.
  writeFileSync(
    "/rehearsal/Caddyfile",
    `{\n\tlocal_certs\n}\n${readFileSync(`${HOME}/deploy/Caddyfile`, "utf8")}`,
  );
  writeFileSync(
    `${HOME}/compose.override.yml`,
    'services: { caddy: { volumes: ["/rehearsal/Caddyfile:/etc/caddy/Caddyfile:ro"] } }\n',
  );
  await type("settings", { EDITOR: editor(values) });
  console.info(`It took ${(await type("start")).toFixed(0)} s, the build included.`);
  lookIntoImage();

  const certificate = docker(
    "compose",
    "exec",
    "-T",
    "caddy",
    "cat",
    "/data/caddy/pki/authorities/local/root.crt",
  );
  const visitors = new Visitors(DOMAIN, certificate);
  visitors.sendsAgain = standIns.length > 0;
  const page = async (path: string) => (await visitors.ask(path)).body;
  const home = await visitors.ask("/");
  expectThat("the site is up over https", home.status === 200 && home.body.includes('lang="ko"'));
  const www = await visitors.ask("/pricing?a=1", {
    host: `www.${DOMAIN}`,
    servername: `www.${DOMAIN}`,
    headers: { host: `www.${DOMAIN}` },
  });
  expectThat(
    `www leads to it: ${www.status} ${www.location}`,
    www.location === `https://${DOMAIN}/pricing?a=1`,
  );
  await type("doctor");
  console.info("✓ the doctor ends with 0");
  await tryElsewhere(values);

  console.info(
    `\n# An update under ${RATES.requests} requests/s and ${RATES.applications} applications/s`,
  );
  const assets = assetsOf(home.body);
  changeTheProgram(REPOSITORY);
  visitors.arrive({ paths: [...pagePaths, "/api/health", ...assets], ...RATES });
  await pause(3_000);
  await type("update");
  await pause(3_000);
  await visitors.leave();
  const after = assetsOf(await page("/"));
  const changed = assets.filter((asset) => !after.includes(asset));
  expectThat(
    `the new build is served: ${changed.length} of its files have other names`,
    changed.length > 0,
  );
  const old = await Promise.all(changed.map((asset) => visitors.ask(asset)));
  expectThat(
    "a page of the old build still gets its files",
    old.every(({ status }) => status === 200),
  );
  visitors.report();
  await expectNothingLost(visitors);

  console.info("\n# A changed number, under the same load");
  visitors.arrive({ paths: pagePaths, ...RATES });
  await pause(1_000);
  const phone = "010-8765-4321";
  await type("settings", { EDITOR: editor({ INQUIRY_PHONE: phone }) });
  await type("changed");
  await visitors.leave();
  const pages = await Promise.all([...pagePaths, "/nowhere"].map(page));
  expectThat(
    "every page has the new number, none the old one",
    pages.every((html) => html.includes(phone) && !html.includes(NUMBER)),
  );
  visitors.report();

  console.info("\n# The site is killed while applications come in");
  visitors.arrive({ paths: ["/"], ...RATES });
  await pause(2_000);
  const killed = sitePid();
  process.kill(killed, "SIGKILL");
  await pause(8_000);
  await visitors.leave();
  expectThat(
    "Docker has started it anew",
    sitePid() !== killed && (await visitors.ask("/")).status === 200,
  );
  console.info(`${visitors.failures.splice(0).length} visitors were told that it failed.`);
  await expectNothingLost(visitors);

  console.info("\n# A backup under load, the data lost, and restored");
  // Twilio takes nothing for now, and says so: what comes in waits.
  twilio.always({ status: 429 });
  visitors.arrive({ paths: ["/"], ...RATES });
  await pause(3_000);
  const backedUpAt = Date.now();
  await type("backup");
  await pause(1_000);
  await visitors.leave();
  await type("nightly");
  const [newest = ""] = docker("compose", "exec", "-T", "site", "ls", "-r", "/data/backups").split(
    "\n",
  );
  docker("compose", "cp", `site:/data/backups/${newest}`, "/rehearsal/backup.db");
  docker("compose", "rm", "--stop", "--force", "site");
  docker("volume", "rm", "driving-practice_data");
  docker("compose", "up", "--detach", "--wait");
  const reached = new Set(arrivals().keys());
  twilio.always(undefined);
  await type("restore", { BACKUP: "/rehearsal/backup.db" });
  const promised = [...visitors.acknowledged]
    .filter(([, at]) => at < backedUpAt)
    .map(([number]) => number);
  const restored = new Set(numbersIn(listed()));
  const gone = promised.filter((number) => !restored.has(number));
  expectThat(
    `${promised.length} acknowledged before the backup, ${gone.length} not restored`,
    gone.length === 0,
  );
  const waited = promised.filter((number) => !reached.has(number));
  const open = await missing(waited);
  expectThat(
    `${waited.length} of them waited, ${open.length} still do`,
    waited.length > 0 && open.length === 0,
  );
  visitors.close();

  checkPlainHost();
  console.info("\n# Not tried");
  if (standIns.length > 0) {
    console.info(
      `- The official images could not be fetched; stand-ins made of Debian's packages: ${standIns.join(", ")}.`,
    );
    console.info(
      "- That an application waits in Caddy: Debian's is older than 2.11.2 and answers 502; a browser sends it again.",
    );
  }
  console.info(
    "- A certificate of Let's Encrypt, Twilio itself, a reboot of the host, cron, the unit under systemd.",
  );
} catch (error) {
  console.error(error);
  const health = "{{.Name}} {{with .State.Health}}{{json .Log}}{{end}}";
  for (const id of docker("ps", "--all", "--quiet").split("\n").filter(Boolean))
    console.error(docker("inspect", "--format", health, id));
  console.error(docker("compose", "logs", "--no-color", "--tail", "50"));
  process.exitCode = 1;
} finally {
  if (existsSync(HOME)) docker("compose", "down", "--volumes", "--timeout", "5");
  await stopDocker(daemon);
  await twilio.stop();
}
