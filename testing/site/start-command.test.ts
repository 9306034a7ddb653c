import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartCommand } from "#testing/site/start-command.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

test("systemd and the container start the site with the command of npm start", () => {
  const { flags, file } = readStartCommand();
  const unit = readFileSync("deploy/driving-practice.service", "utf8");
  expect(unit).toContain(`/node_modules/.bin/node ${[...flags, file].join(" ")}\n`);
  const words = ["node", ...flags, file].map((word) => JSON.stringify(word));
  const container = readFileSync("deploy/Dockerfile", "utf8");
  expect(container).toContain(`\nCMD [${words.join(", ")}]\n`);
});

test("the image's health check asks /api/health, not the status [85]", () => {
  const [check] = /^HEALTHCHECK .*\n.*$/m.exec(readFileSync("deploy/Dockerfile", "utf8")) ?? [];
  expect(check).toMatch(/\/api\/health`\)\.then\(\(\{ ok \}\) => process\.exit\(ok \? 0 : 1\)/);
});

test("a signal to the shell of npm start reaches the site", async () => {
  const cwd = makeTemporaryFolder();
  mkdirSync(join(cwd, "build"));
  const site = 'process.on("SIGTERM", () => process.exit(7)); setTimeout(() => {}, 60_000);';
  writeFileSync(join(cwd, "build/run.mjs"), `${site} console.info("up")`);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const shell = spawn("sh", ["-c", scripts.start], { cwd });
  await once(shell.stdout, "data");
  shell.kill("SIGTERM");
  expect(await once(shell, "exit")).toEqual([7, null]);
});
