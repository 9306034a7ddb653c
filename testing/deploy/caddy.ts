/** The shipped Caddyfile, run by Caddy itself in front of a site that is up. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expectThat } from "#testing/deploy/expect-that.ts";
import { asJson } from "#testing/form.ts";
import { freePort } from "#testing/free-port.ts";

const CADDY = "/usr/bin/caddy";
const UP_LIMIT_MS = 10_000;

interface Setup {
  /** Where Caddy may write. */
  folder: string;
  /** The site's own port. */
  sitePort: string;
  /** The files of earlier builds. */
  assets: string;
  /** A file of the build that is in service, and one of a build before. */
  present: string;
  earlier: string;
}

/** Only the address and the site's port are other than what is shipped: there is no certificate for plain http. */
export async function tryCaddy(setup: Setup): Promise<void> {
  if (!existsSync(CADDY)) {
    console.info("- Caddy is not installed: deploy/Caddyfile was not tried.");
    return;
  }
  const url = `http://127.0.0.1:${await freePort()}`;
  const file = join(setup.folder, "Caddyfile");
  const shipped = readFileSync("deploy/Caddyfile", "utf8");
  writeFileSync(
    file,
    shipped
      .replace(/^practice\.example \{/m, `{\n\tadmin off\n}\n${url} {`)
      .replaceAll("127.0.0.1:3001", `127.0.0.1:${setup.sitePort}`)
      .replaceAll("/srv/driving-practice/assets", setup.assets),
  );
  const caddy = spawn(CADDY, ["run", "--config", file, "--adapter", "caddyfile"], {
    env: { ...process.env, HOME: setup.folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  caddy.stderr.on("data", (said: Buffer) => {
    log += said.toString();
  });
  try {
    await untilUp(url, () => log);
    await look(url, setup);
  } finally {
    caddy.kill();
    if (caddy.exitCode === null && caddy.signalCode === null) await once(caddy, "exit");
  }
}

async function untilUp(url: string, log: () => string): Promise<void> {
  const deadline = Date.now() + UP_LIMIT_MS;
  while (Date.now() < deadline) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await pause(100);
  }
  throw new Error(`Caddy did not come up:\n${log()}`);
}

async function look(url: string, { present, earlier }: Setup): Promise<void> {
  const ask = async (path: string) => {
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    return { status: answer.status, kept: answer.headers.get("cache-control") ?? "" };
  };
  for (const [what, path] of [
    ["a file of this build", present],
    ["a file of a build before", earlier],
  ] as const) {
    const { status, kept } = await ask(path);
    expectThat(
      `through Caddy ${what} is there and kept for a year: ${status}, ${kept}`,
      status === 200 && kept === "public, max-age=31536000, immutable",
    );
  }
  const { status, kept } = await ask("/_next/static/chunks/of-no-build.js");
  expectThat(
    `through Caddy a missing file is a 404 that nobody keeps: ${status}, ${kept || "no cache-control"}`,
    status === 404 && !/immutable|max-age=[1-9]/.test(kept),
  );
  const answer = await fetch(`${url}/api/sms/training-application`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: asJson({ name: "캐디" }),
  });
  expectThat(`through Caddy an application is taken: ${answer.status}`, answer.status === 200);
}
