/** The files for hosts without containers, as far as the programs that read them can judge without running them. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { HOME } from "#testing/deploy/docker.ts";
import { expectThat } from "#testing/deploy/expect-that.ts";

export function checkPlainHost(): void {
  console.info("\n# The unit for systemd and the site for nginx");
  const said = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
    return { status, text: `${stdout}${stderr}`.trim() };
  };
  // The unit's program is installed by npm.
  const program = "/srv/driving-practice/site/node_modules/.bin/node";
  mkdirSync(program.slice(0, program.lastIndexOf("/")), { recursive: true });
  cpSync("/bin/true", program);
  const unit = "/etc/systemd/system/driving-practice.service";
  cpSync(`${HOME}/deploy/driving-practice.service`, unit);
  const verified = said("systemd-analyze", "verify", "--man=no", unit);
  expectThat(`systemd-analyze verify: ${verified.text || "no fault"}`, verified.text === "");
  const exposure = said("systemd-analyze", "security", "--offline=yes", unit)
    .text.split("\n")
    .at(-1);
  expectThat(`${exposure}`, /: [01]\.\d OK/.test(`${exposure}`));

  cpSync(`${HOME}/deploy/nginx.conf`, "/etc/nginx/conf.d/driving-practice.conf");
  const folder = "/etc/ssl/driving-practice";
  mkdirSync(folder);
  const files = ["-keyout", `${folder}/privkey.pem`, "-out", `${folder}/fullchain.pem`];
  const request = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=practice.example",
  ];
  execFileSync("openssl", [...request, ...files], { stdio: "ignore" });
  const tested = said("nginx", "-t");
  expectThat(`nginx -t: ${tested.status === 0 ? "no fault" : tested.text}`, tested.status === 0);
}
