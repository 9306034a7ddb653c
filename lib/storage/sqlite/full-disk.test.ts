import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { machineHas } from "#testing/machine-needs.ts";
import { buildStoreProgram } from "#testing/storage/store-program.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

const ISOLATOR = "unshare";

/** Runs a program on a small disk, of which `ballast` bytes are used. */
test.runIf(machineHas("mounts")).for<[what: string, ballast: number, body: string, said: string]>([
  [
    "fills up",
    600_000,
    `let taken = 0, refusal;
    while (refusal === undefined && taken < 2_000) {
      const outcome = await accept("k" + taken);
      if (outcome === "stored") taken++; else refusal = outcome;
    }
    say(refusal + " " + (await store.probeAcceptance(0).catch(({ reason }) => reason)));
    // A newly opened store, such as the command line's, can read.
    say(taken - (await openStore({ databaseFile }).countApplications()).waiting + " lost");
    free();
    say(await accept("k" + taken));`,
    "full full\n0 lost\nstored",
  ],
  [
    "is full at the start",
    900_000,
    `say((await accept("a")) + " " + (await store.probeAcceptance(0).catch(({ reason }) => reason)));
    free();
    let after;
    while ((after = await accept("a")) === "full") await pause(50);
    say(after + " " + (await store.acquireLease({ holder: "a", hasChannel: false })));`,
    "full full\nstored acquired",
  ],
])(
  "a database on a disk that %s is used again once there is room [6]",
  async ([, ballast, body, said], { temporary }) => {
    const disk = join(temporary.folder, "disk");
    mkdirSync(disk);
    const shell = `mount -t tmpfs -o size=900k t ${disk} &&
  head -c ${ballast} /dev/zero > ${disk}/ballast; exec "$0" --input-type=module -e "$1"`;
    const program = buildStoreProgram(
      join(disk, "applications.db"),
      `const free = () => rmSync(${JSON.stringify(join(disk, "ballast"))});
  ${body}
  process.exit(0);`,
    );
    const parameters = ["-rm", "bash", "-c", shell, process.execPath, program];
    expect(spawnSync(ISOLATOR, parameters, { encoding: "utf8" }).stdout.trim()).toBe(said);
  },
);
