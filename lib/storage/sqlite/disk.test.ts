import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { machineHas } from "#testing/site/machine.ts";
import { buildStoreProgram } from "#testing/storage/store-program.ts";
import { testWithStore as test } from "#testing/storage/temporary-store.ts";

/** A library that makes every fsync of a process wait while a file exists. */
const HANGING_DISK = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static void hang(void) { while (access(getenv("HANGS"), F_OK) == 0) usleep(10000); }
int fsync(int file) { hang(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file); }
int fdatasync(int file) { hang(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file); }
`;

test.runIf(machineHas("gcc"))(
  "a disk that hangs blocks only new applications",
  async ({ temporary }) => {
    const { folder, databaseFile } = temporary;
    const [hangs, shim] = [join(folder, "hangs"), join(folder, "hanging-disk.so")];
    const input = { input: HANGING_DISK };
    execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, "-x", "c", "-", "-ldl"], input);
    const program = buildStoreProgram(
      databaseFile,
      `say(await accept("first"));
    // Input arrives once the disk hangs. The pause outlasts the time for which an fsync proves that the disk works.
    process.stdin.once("data", async () => {
      await pause(300);
      let pages = 0;
      const asking = setInterval(() => pages++, 5);
      const during = await Promise.all(["a", "b", "c"].map(accept));
      clearInterval(asking);
      say(JSON.stringify({ during, pages, read: (await store.counts(0)).waiting }));
      while ((await accept("last")) === "hanging");
      say(await accept("last"));
      process.exit(0);
    });`,
    );
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      env: { NODE_ENV: "production", LD_PRELOAD: shim, HANGS: hangs, LOG_LEVEL: "silent" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const said = async () => String((await once(child.stdout, "data"))[0]).trim();
    expect(await said()).toBe("stored");
    writeFileSync(hangs, "");
    child.stdin.write("\n");
    const { during, pages, read } = JSON.parse(await said());
    expect({ during, read }).toEqual({ during: ["hanging", "hanging", "hanging"], read: 1 });
    // Each part of the wait lets at least one pass, however busy the machine is.
    expect(pages).toBeGreaterThan(3);
    rmSync(hangs);
    expect(await said()).toBe("replayed");
  },
);

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
    say(taken - (await openStore({ databaseFile }).counts(0)).waiting + " lost");
    free();
    say(await accept("k" + taken));`,
    "full full\n0 lost\nstored",
  ],
  [
    "is full at the start",
    900_000,
    `say((await accept("a")) + " " + (await store.acquireLease({ holder: "a", now: 0, hasChannel: false, leaseMs: 20_000 }).catch(({ reason }) => reason)));
    free();
    let after;
    while ((after = await accept("a")) === "full") await pause(50);
    say(after + " " + (await store.acquireLease({ holder: "a", now: 0, hasChannel: false, leaseMs: 20_000 })));`,
    "full full\nstored acquired",
  ],
])("a disk that %s is used once there is room", async ([, ballast, body, said], { temporary }) => {
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
});
