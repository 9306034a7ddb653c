import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { aNewApplication, temporaryStore } from "#testing/temporary-store.ts";

/** While a file is there, every fsync of the process waits. */
const HANGING_DISK = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static void hang(void) { while (access(getenv("HANGS"), F_OK) == 0) usleep(10000); }
int fsync(int file) { hang(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file); }
int fdatasync(int file) { hang(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file); }
`;
const canCompile = spawnSync("gcc", ["--version"]).status === 0;

test.runIf(canCompile)(
  "a disk that hangs costs a 503, and holds up nothing that needs no disk; then it goes on by itself",
  async () => {
    await using temporary = temporaryStore();
    const { folder, databaseFile } = temporary;
    const [hangs, shim] = [join(folder, "hangs"), join(folder, "hanging-disk.so")];
    const input = { input: HANGING_DISK };
    execFileSync("gcc", ["-shared", "-fPIC", "-o", shim, "-x", "c", "-", "-ldl"], input);
    const script = `
      import { setTimeout as pause } from "node:timers/promises";
      import { openStore } from "${resolve("lib/storage/open.ts")}";
      const store = openStore({ databaseFile: ${JSON.stringify(databaseFile)} });
      const application = ${JSON.stringify(aNewApplication())};
      const accept = (idempotencyKey) => store.accept({ ...application, idempotencyKey })
        .then(({ outcome }) => outcome, ({ reason }) => reason);
      const say = (said) => console.info(JSON.stringify(said));
      say({ first: await accept("first") });
      // Until the disk hangs; then longer than its last answer is believed.
      process.stdin.once("data", async () => {
        await pause(300);
        let longest = 0, last = performance.now();
        const pages = setInterval(() => {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }, 5);
        const during = await Promise.all(["a", "b", "c"].map(accept));
        clearInterval(pages);
        say({ during, longest, read: (await store.counts(0)).waiting });
        while ((await accept("last")) === "hanging");
        say({ after: await accept("last") });
        process.exit(0);
      });`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: { NODE_ENV: "production", LD_PRELOAD: shim, HANGS: hangs, LOG_LEVEL: "silent" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const said = async () => JSON.parse(String((await once(child.stdout, "data"))[0]));
    expect(await said()).toEqual({ first: "stored" });
    writeFileSync(hangs, "");
    child.stdin.write("\n");
    const { during, longest, read } = await said();
    expect({ during, read }).toEqual({ during: ["hanging", "hanging", "hanging"], read: 1 });
    // It would be without end.
    expect(longest).toBeLessThan(1_500);
    rmSync(hangs);
    expect(await said()).toEqual({ after: "replayed" });
  },
);

/** Runs a command with mounts of its own; not everywhere allowed. */
const ISOLATOR = "unshare";
const canMount = spawnSync(ISOLATOR, ["-rm", "mount", "-t", "tmpfs", "t", "/mnt"]).status === 0;

/** What a script reports that has a small disk to itself, with a ballast on it. */
function onSmallDisk(folder: string, ballast: number, script: string): unknown {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const shell = `mount -t tmpfs -o size=900k t ${disk} &&
    head -c ${ballast} /dev/zero > ${disk}/ballast; exec "$0" --input-type=module -e "$1"`;
  const module = `
    import { rmSync } from "node:fs";
    import { setTimeout as pause } from "node:timers/promises";
    import { openStore } from "${resolve("lib/storage/open.ts")}";
    const store = openStore({ databaseFile: ${JSON.stringify(join(disk, "applications.db"))} });
    const accept = (key) => store.accept({ ...${JSON.stringify(aNewApplication())}, idempotencyKey: key })
      .then(({ outcome }) => outcome, ({ reason }) => reason);
    const free = () => rmSync(${JSON.stringify(join(disk, "ballast"))});
    const report = (seen) => { process.stdout.write(JSON.stringify(seen)); process.exit(0); };
    ${script}`;
  const parameters = ["-rm", "bash", "-c", shell, process.execPath, module];
  return JSON.parse(spawnSync(ISOLATOR, parameters, { encoding: "utf8" }).stdout);
}

test.runIf(canMount)("a disk that fills up is told, loses nothing, and is used again", async () => {
  await using temporary = temporaryStore();
  const seen = onSmallDisk(
    temporary.folder,
    600_000,
    `let taken = 0, refusal;
     while (refusal === undefined && taken < 2_000) {
       const outcome = await accept("k" + taken);
       if (outcome === "stored") taken++; else refusal = outcome;
     }
     const check = await store.probeWrite(0).then(() => "passes", (error) => error.reason);
     const lost = taken - (await store.counts(0)).waiting;
     free();
     report({ refusal, check, lost, after: await accept("k" + taken) });`,
  );
  expect(seen).toEqual({ refusal: "full", check: "full", lost: 0, after: "stored" });
});

test.runIf(canMount)(
  "a disk that is full when the site starts is told, and used once there is room",
  async () => {
    await using temporary = temporaryStore();
    const seen = onSmallDisk(
      temporary.folder,
      900_000,
      `const refusals = [await accept("a"), await store.holdWorker("a").catch(({ reason }) => reason)];
       free();
       let after = "full";
       while (after === "full") {
         await pause(50);
         after = await accept("a");
       }
       report({ refusals, after, held: await store.holdWorker("a") });`,
    );
    expect(seen).toEqual({ refusals: ["full", "full"], after: "stored", held: "new" });
  },
);
