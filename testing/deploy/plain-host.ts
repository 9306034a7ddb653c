/** Lets systemd and nginx check their files for a host without containers, without starting either. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expectThat } from "#testing/deploy/machine.ts";

/** The program that the unit starts. The build creates this link. */
const PROGRAM = "/srv/driving-practice/site/node_modules/.bin/node";
const UNIT = "/etc/systemd/system/driving-practice.service";
const KEYS = "/etc/ssl/driving-practice";

export function checkPlainHost(): void {
  console.info("\n# The unit for systemd and the site for nginx");
  const said = (command: string) => {
    const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    return `${stdout}${stderr}`.trim();
  };
  for (const folder of [dirname(PROGRAM), KEYS]) mkdirSync(folder, { recursive: true });
  if (!existsSync(PROGRAM)) cpSync("/bin/true", PROGRAM);
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
