/** Tests the image's entrypoint on data folders that root owns. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machineHas } from "#testing/machine-needs.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

const SITE_UID = 1_000;

/** Runs the entrypoint as this user. With `mode`, DATA_DIR is a folder of root; without `mode`, DATA_DIR is empty. */
function runEntrypoint(uid: number, mode?: number) {
  const folder = makeTemporaryFolder();
  chmodSync(folder, 0o755);
  const dataDir = join(folder, "data");
  mkdirSync(join(dataDir, "lost+found"), { recursive: true, mode: 0o700 });
  if (mode !== undefined) chmodSync(dataDir, mode);
  const script = join(folder, "entrypoint.sh");
  const inImage = readFileSync("deploy/entrypoint.sh", "utf8");
  writeFileSync(
    script,
    inImage.replace("cd /site", `cd '${folder}'`).replace(":-/data", `:-${folder}`),
  );
  // Lets the site's user read the script, even if the umask denies others every right.
  chmodSync(script, 0o755);
  const { stdout, stderr, status } = spawnSync("sh", [script, "echo", "started"], {
    encoding: "utf8",
    env: {
      NODE_ENV: "production",
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      DATA_DIR: mode === undefined ? "" : dataDir,
    },
    uid,
  });
  return { stdout, stderr, status, dataDir, folder };
}

const testAsRoot = test.runIf(machineHas("root"));

testAsRoot("a writable data folder that root owns causes no warning", () => {
  expect(runEntrypoint(SITE_UID, 0o777)).toMatchObject({
    stdout: "started\n",
    stderr: "",
    status: 0,
  });
});

testAsRoot("a data folder that is not writable is reported with the remedy", () => {
  const { stdout, stderr, dataDir } = runEntrypoint(SITE_UID, 0o755);
  expect(stderr).toContain(`user ${SITE_UID} cannot write ${dataDir} (owner 0, mode 755).`);
  expect(stderr).toContain(`On the host: chown -R ${SITE_UID} `);
  expect(stdout).toBe("started\n");
});

testAsRoot("an empty DATA_DIR counts as not set", () => {
  const { stderr, folder } = runEntrypoint(SITE_UID);
  expect(stderr).toContain(`cannot write ${folder} (owner 0`);
});

testAsRoot("a container that may not change its user goes on as root", () => {
  // This machine has no user `site`, so the change fails.
  const { stdout, stderr } = runEntrypoint(0, 0o755);
  expect(stderr).toMatch(/changing the user of the container is not permitted, continuing as root/);
  expect(stderr).not.toContain("cannot write");
  expect(stdout).toBe("started\n");
});
