import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { log } from "#lib/log.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";
import { aNewApplication, anApplication, temporaryStore } from "#testing/temporary-store.ts";

const PAGE_BYTES = 4_096;

/** A closed database that holds one application, as it lies there when the site starts. */
async function usedDatabase() {
  const temporary = temporaryStore();
  await temporary.store.accept(aNewApplication({ idempotencyKey: "before" }));
  await temporary.store.close();
  const store = openStore({ databaseFile: temporary.databaseFile });
  return {
    ...temporary,
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

const refusal = (store: Store) =>
  store.accept(aNewApplication({ idempotencyKey: "new" })).then(
    () => undefined,
    (error: unknown) => error,
  );

/** A store that closes at the end of its test. */
function opened(databaseFile: string): Store & AsyncDisposable {
  const store = openStore({ databaseFile });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/** An opening is tried again after a second; until then the first refusal is told. */
const untilRefused = (store: Store, message: string) =>
  expect
    .poll(() => refusal(store), { timeout: 5_000 })
    .toMatchObject({ reason: "missing", message: expect.stringContaining(message) });

/** A refused opening is remembered for a second. */
const untilAccepted = (store: Store) =>
  vi.waitFor(() => store.accept(aNewApplication({ idempotencyKey: "new" })), {
    timeout: 5_000,
    interval: 100,
  });

describe("at start", () => {
  test("the first start creates the folder, the database and the marker beside it", async () => {
    await using temporary = temporaryStore();
    const databaseFile = join(temporary.folder, "a", "b", "applications.db");
    const store = openStore({ databaseFile });
    expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    await store.close();
    expect(existsSync(`${databaseFile}.created`)).toBe(true);
  });

  test("a file that is no database is refused, left as it is, and tried again", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile } = used;
    const good = readFileSync(databaseFile);
    const garbage = "this is no database. ".repeat(500);
    writeFileSync(databaseFile, garbage);

    expect(await refusal(store)).toMatchObject({
      name: "StorageUnavailable",
      reason: "corrupt",
      message: expect.stringMatching(/applications\.db.*restore the last backup/),
    });
    expect(readFileSync(databaseFile, "utf8")).toBe(garbage);

    writeFileSync(databaseFile, good);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
  });

  test("a database that is damaged where no new application goes is refused too, and left as it is", async () => {
    await using used = await usedDatabase();
    const { databaseFile } = used;
    const filling = openStore({ databaseFile });
    const application = anApplication({ message: "가".repeat(1_000) });
    for (let index = 0; index < 50; index++) {
      await filling.accept(aNewApplication({ application, idempotencyKey: `${index}` }));
    }
    await filling.close();
    const middle = Math.floor(statSync(databaseFile).size / PAGE_BYTES / 2) * PAGE_BYTES;
    const descriptor = openSync(databaseFile, "r+");
    writeSync(descriptor, Buffer.alloc(64, 0xff), 0, 64, middle);
    closeSync(descriptor);
    const damaged = readFileSync(databaseFile);

    expect(await refusal(used.store)).toMatchObject({ reason: "corrupt" });
    expect(readFileSync(databaseFile).equals(damaged)).toBe(true);
  });

  test("an emptied database is refused and left empty", async () => {
    await using used = await usedDatabase();
    truncateSync(used.databaseFile);
    expect(await refusal(used.store)).toMatchObject({
      reason: "missing",
      message: expect.stringMatching(/is empty.*backup.*delete applications\.db\.created/),
    });
    expect(statSync(used.databaseFile).size).toBe(0);
  });

  test("a missing database is not begun anew, and is used again once it is back", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile } = used;
    renameSync(databaseFile, `${databaseFile}.aside`);
    expect(await refusal(store)).toMatchObject({
      reason: "missing",
      message: expect.stringContaining("is missing"),
    });
    expect(existsSync(databaseFile)).toBe(false);

    renameSync(`${databaseFile}.aside`, databaseFile);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await store.counts()).toMatchObject({ waiting: 2 });
  });

  test("without the marker the operator begins anew", async () => {
    await using used = await usedDatabase();
    rmSync(used.databaseFile);
    rmSync(`${used.databaseFile}.created`);
    expect(await used.store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    expect(await used.store.counts()).toMatchObject({ waiting: 1 });
  });

  test("garbage in the lock file is told apart from a damaged database", async () => {
    await using used = await usedDatabase();
    writeFileSync(`${used.databaseFile}.open`, "garbage ".repeat(1_000));
    expect(await refusal(used.store)).toMatchObject({
      reason: "lock-damaged",
      message: expect.stringContaining("applications.db.open"),
    });
    rmSync(`${used.databaseFile}.open`);
    expect(await untilAccepted(used.store)).toMatchObject({ outcome: "stored" });
  });

  test.each([
    "CREATE TABLE customers (id integer)",
    "CREATE TABLE applications (id integer); INSERT INTO applications VALUES (1)",
    "CREATE TABLE schema_version (version integer); CREATE TABLE deliveries (id integer)",
  ])("the database of another program is refused and left as it is: %s", async (tables) => {
    await using temporary = temporaryStore();
    const { databaseFile } = temporary;
    const foreign = new DatabaseSync(databaseFile);
    foreign.exec(tables);
    foreign.close();
    const before = readFileSync(databaseFile);
    await using store = opened(databaseFile);
    expect(await refusal(store)).toMatchObject({
      reason: "foreign",
      message: expect.stringContaining("another program"),
    });
    expect(readFileSync(databaseFile).equals(before)).toBe(true);
    expect(existsSync(`${databaseFile}.created`)).toBe(false);
  });

  test("a folder that is a file is refused in a sentence", async () => {
    await using temporary = temporaryStore();
    const notAFolder = join(temporary.folder, "file");
    writeFileSync(notAFolder, "");
    const store = openStore({ databaseFile: join(notAFolder, "applications.db") });
    expect(await refusal(store)).toMatchObject({
      name: "StorageUnavailable",
      message: expect.stringContaining("DATA_DIR"),
    });
    await store.close();
  });

  test("a database that is a folder is refused in a sentence", async () => {
    await using temporary = temporaryStore();
    mkdirSync(temporary.databaseFile);
    expect(await refusal(temporary.store)).toMatchObject({ name: "StorageUnavailable" });
  });

  test("a refused opening is tried again at most once a second", async () => {
    await using used = await usedDatabase();
    writeFileSync(used.databaseFile, "garbage".repeat(1_000));
    const first = await refusal(used.store);
    expect(await refusal(used.store)).toBe(first);
  });
});

test("a fault is logged in one sentence when it comes and in one when it ends, however often it is met", async () => {
  await using used = await usedDatabase();
  const { store, databaseFile } = used;
  const errors = vi.spyOn(log, "error");
  const infos = vi.spyOn(log, "info");
  renameSync(databaseFile, `${databaseFile}.aside`);
  for (let visitor = 0; visitor < 3; visitor++) await refusal(store);
  expect(errors.mock.calls).toEqual([
    [
      { reason: "missing" },
      expect.stringMatching(/^The database applications\.db is missing.*backup/),
    ],
  ]);
  renameSync(`${databaseFile}.aside`, databaseFile);
  await untilAccepted(store);
  await store.probeWrite(0);
  expect(infos.mock.calls).toEqual([["The database can be used again."]]);
  expect(errors).toHaveBeenCalledTimes(1);
});

describe("while it runs", () => {
  test("a database that is deleted under the running site takes no application", async () => {
    await using temporary = temporaryStore();
    const { store, databaseFile } = temporary;
    await store.accept(aNewApplication());
    rmSync(databaseFile);
    expect(await refusal(store)).toMatchObject({ reason: "missing" });
    expect(existsSync(databaseFile)).toBe(false);
  });

  test("a database that was taken away is used again once it is put back", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile } = used;
    copyFileSync(databaseFile, `${databaseFile}.backup`);
    await store.counts();
    rmSync(databaseFile);
    expect(await refusal(store)).toMatchObject({ reason: "missing" });
    renameSync(`${databaseFile}.backup`, databaseFile);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await store.counts()).toMatchObject({ waiting: 2 });
  });

  test("a folder that is moved away is not begun anew, and is used again once it is back", async () => {
    await using temporary = temporaryStore();
    const folder = join(temporary.folder, "data");
    await using store = opened(join(folder, "applications.db"));
    await store.accept(aNewApplication({ idempotencyKey: "first" }));
    renameSync(folder, `${folder}-away`);
    await untilRefused(store, "was moved away, or its disk is not mounted");
    expect(existsSync(folder)).toBe(false);
    // As an unmounted disk leaves it.
    mkdirSync(folder);
    await untilRefused(store, "was moved away, or its disk is not mounted");
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-away`, folder);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await store.counts()).toMatchObject({ waiting: 2 });
  });

  test("another database in its place is refused and not written to", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile } = used;
    await using other = temporaryStore();
    await other.store.accept(aNewApplication());
    await other.store.close();
    await store.counts();
    renameSync(databaseFile, `${databaseFile}.away`);
    for (const end of ["-wal", "-shm"]) rmSync(`${databaseFile}${end}`);
    copyFileSync(other.databaseFile, databaseFile);
    const before = readFileSync(databaseFile);
    await untilRefused(store, "Another database");
    expect(readFileSync(databaseFile).equals(before)).toBe(true);
  });

  // The last connection that closes copies the journal by itself; where there is another, nobody does.
  test.each([
    ["", ""],
    [" beside another that reads", "other.prepare('SELECT count(*) FROM applications').get();"],
  ])(
    "a journal that is deleted costs nothing that was acknowledged, even when the process%s is killed",
    async (_beside, read) => {
      await using temporary = temporaryStore();
      const { databaseFile } = temporary;
      const taken = Array.from({ length: 10 }, (_, index) =>
        aNewApplication({ idempotencyKey: `${index}` }),
      );
      const script = `
      import { rmSync } from "node:fs";
      import { DatabaseSync } from "node:sqlite";
      import { openStore } from "${resolve("lib/storage/open.ts")}";
      const store = openStore({ databaseFile: ${JSON.stringify(databaseFile)} });
      let acknowledged = 0;
      const accept = (application) => store.accept(application).then(() => acknowledged++, () => {});
      for (const application of ${JSON.stringify(taken.slice(0, 5))}) await accept(application);
      const other = new DatabaseSync(${JSON.stringify(databaseFile)}, { readOnly: true });
      ${read}
      rmSync(${JSON.stringify(`${databaseFile}-wal`)});
      for (const application of ${JSON.stringify(taken.slice(5))}) await accept(application);
      console.info("acknowledged " + acknowledged);
      process.kill(process.pid, "SIGKILL");`;
      const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
        encoding: "utf8",
      });
      const acknowledged = Number(/acknowledged (\d+)/.exec(stdout)?.[1]);
      expect(acknowledged).toBeGreaterThanOrEqual(5);
      const { waiting } = await temporary.store.counts();
      expect(waiting).toBeGreaterThanOrEqual(acknowledged);
    },
  );

  test("after close every call is refused, and nothing is opened again", async () => {
    await using temporary = temporaryStore();
    await temporary.store.counts();
    await temporary.store.close();
    expect(await refusal(temporary.store)).toMatchObject({ reason: "closed" });
  });

  test("close lets an application that is under way finish", async () => {
    await using temporary = temporaryStore();
    const { store, databaseFile } = temporary;
    const accepted = store.accept(aNewApplication());
    await store.close();
    expect(await accepted).toMatchObject({ outcome: "stored" });
    const reopened = openStore({ databaseFile });
    expect(await reopened.counts()).toMatchObject({ waiting: 1 });
    await reopened.close();
  });
});

describe("a store that may not write", () => {
  /** Root may write anywhere, so that the test gives the rights up for a while. */
  async function asOrdinaryUser(work: () => Promise<void>) {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  test("is unavailable, and recovers when it may", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile, folder } = used;
    chmodSync(databaseFile, 0o444);
    chmodSync(folder, 0o555);
    await asOrdinaryUser(async () => {
      const error = await refusal(store);
      expect(error).toMatchObject({ name: "StorageUnavailable" });
      await expect(store.probeWrite(0)).rejects.toMatchObject({ name: "StorageUnavailable" });
    });
    chmodSync(folder, 0o777);
    chmodSync(databaseFile, 0o666);
    chmodSync(`${databaseFile}.created`, 0o666);
    await asOrdinaryUser(async () => {
      expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    });
  });
});

/** Runs a command with mounts of its own; not everywhere allowed. */
const ISOLATOR = "unshare";
const canMount = spawnSync(ISOLATOR, ["-rm", "mount", "-t", "tmpfs", "t", "/mnt"]).status === 0;

test.runIf(canMount)(
  "a full disk is told, loses nothing, and is used again when there is room",
  async () => {
    await using temporary = temporaryStore();
    const file = join(temporary.folder, "disk", "applications.db");
    mkdirSync(dirname(file));
    const script = `
    import { rmSync } from "node:fs";
    import { openStore } from "#lib/storage/open.ts";
    const store = openStore({ databaseFile: ${JSON.stringify(file)} });
    const accept = (key) => store.accept({ ...${JSON.stringify(aNewApplication())}, idempotencyKey: key });
    let taken = 0;
    let refusal;
    while (refusal === undefined && taken < 2_000) {
      try { await accept("k" + taken); taken++; } catch (error) { refusal = error; }
    }
    const check = await store.probeWrite(0).then(() => "passes", (error) => error.reason);
    const counted = (await store.counts()).waiting;
    rmSync(${JSON.stringify(join(dirname(file), "ballast"))});
    const after = (await accept("k" + taken)).outcome;
    process.stdout.write(JSON.stringify({ taken, counted, reason: refusal?.reason, check, after }));
    process.exit(0);`;
    const shell = `mount -t tmpfs -o size=900k t ${dirname(file)} &&
    head -c 600000 /dev/zero > ${dirname(file)}/ballast && exec "$0" --input-type=module -e "$1"`;
    const { stdout } = spawnSync(ISOLATOR, ["-rm", "bash", "-c", shell, process.execPath, script], {
      encoding: "utf8",
    });
    const seen: unknown = JSON.parse(stdout);
    expect(seen).toMatchObject({ reason: "full", check: "full", after: "stored" });
    expect(seen).toHaveProperty("counted", (seen as { taken: number }).taken);
  },
);
