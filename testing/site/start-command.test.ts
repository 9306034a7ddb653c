import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readStartCommand } from "#testing/site/start-command.ts";

test("systemd and the container start the site with the command of npm start", () => {
  const { flags, file } = readStartCommand();
  const unit = readFileSync("deploy/driving-practice.service", "utf8");
  expect(unit).toContain(`/node_modules/.bin/node ${[...flags, file].join(" ")}\n`);
  const words = ["node", ...flags, file].map((word) => JSON.stringify(word));
  const container = readFileSync("deploy/Dockerfile", "utf8");
  expect(container).toContain(`\nCMD [${words.join(", ")}]\n`);
});
